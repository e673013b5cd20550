// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The start of a captured send, which each implementation of MPI does in a way of its own.

#ifndef SENDWRIGHT_RUNTIME_BATCH_CAPTUREDSTART_H
#define SENDWRIGHT_RUNTIME_BATCH_CAPTUREDSTART_H

#include "runtime/base/MpiDifferences.h"

#include <mpi.h>

namespace sendwright {

/// Starts the persistent request of a captured send. An error calls the handler of the send's
/// communicator, as the program's Isend would have done, whichever handler MPI_Start itself calls.
/// `defaultHandler`: the communicator's handler ends the program.
void startCaptured(MPI_Request request, MPI_Comm communicator, SendMode mode, bool defaultHandler);

/// Whether `address` lies in MPI's own library.
bool isWithinMpi(const void *address);

} // namespace sendwright

#endif
