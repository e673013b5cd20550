// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What batches must know about the MPI implementation that they are built for.

#ifndef SENDWRIGHT_RUNTIME_BATCH_MPIDIFFERENCES_H
#define SENDWRIGHT_RUNTIME_BATCH_MPIDIFFERENCES_H

#include "runtime/base/HeldSend.h"

#include <mpi.h>

namespace sendwright {

/// Whether MPI_Pack takes MPI_BOTTOM, which is a null pointer, with a datatype of addresses.
#ifdef MPICH_VERSION
inline constexpr bool packsFromNull = false;
#else
inline constexpr bool packsFromNull = true;
#endif

/// Whether MPI_Start leaves the request's handle as it is. Open MPI replaces a buffered send's that
/// is started again before its last message has left.
#ifdef OPEN_MPI
inline constexpr bool keepsHandle(SendMode mode) { return mode != SendMode::Buffered; }
#else
inline constexpr bool keepsHandle(SendMode) { return true; }
#endif

/// Starts the persistent request of a captured send. An error calls the handler of the send's
/// communicator, which the program's Isend would have called, whichever handler MPI_Start calls by
/// itself. `defaultHandler`: that communicator's handler ends the program.
void startCaptured(MPI_Request request, MPI_Comm communicator, SendMode mode, bool defaultHandler);

/// Whether `address` lies in MPI's own library.
bool isWithinMpi(const void *address);

} // namespace sendwright

#endif
