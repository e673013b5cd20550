// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What batches must know about the MPI implementation that they are built for.

#ifndef SENDWRIGHT_RUNTIME_BATCH_MPIDIFFERENCES_H
#define SENDWRIGHT_RUNTIME_BATCH_MPIDIFFERENCES_H

#include "runtime/base/HeldSend.h"

#include <mpi.h>

namespace sendwright {

/// Whether MPI_Pack accepts MPI_BOTTOM, a null pointer, with a datatype of absolute addresses.
#ifdef MPICH_VERSION
inline constexpr bool packsFromNull = false;
#else
inline constexpr bool packsFromNull = true;
#endif

/// Whether MPI_Start leaves the request's handle unchanged. Open MPI replaces the handle of a
/// buffered send that is started again before its last message has left.
#ifdef OPEN_MPI
inline constexpr bool keepsHandle(SendMode mode) { return mode != SendMode::Buffered; }
#else
inline constexpr bool keepsHandle(SendMode) { return true; }
#endif

/// Starts the persistent request of a captured send. An error calls the handler of the send's
/// communicator, as the program's Isend would have done, whichever handler MPI_Start itself calls.
/// `defaultHandler`: the communicator's handler ends the program.
void startCaptured(MPI_Request request, MPI_Comm communicator, SendMode mode, bool defaultHandler);

/// Whether `address` lies in MPI's own library.
bool isWithinMpi(const void *address);

} // namespace sendwright

#endif
