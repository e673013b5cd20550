// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the MPI functions that strict buffers change have in common.

#ifndef SENDWRIGHT_RUNTIME_STRICT_CALLS_STRICTCALLS_H
#define SENDWRIGHT_RUNTIME_STRICT_CALLS_STRICTCALLS_H

#include "runtime/strict/Blocking.h"

#include <mpi.h>

namespace sendwright::strict {

using NonblockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/// Whether the message must be followed: it is between ranks of MPI_COMM_WORLD, and MPI would
/// accept it. Otherwise MPI gets the call unchanged, and the error appears there.
bool isFollowed(const SendArguments &arguments);

/// Like MPI_Irecv; notes the receive.
int postReceive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm communicator, MPI_Request *request);

/// Waits for a request of the program, on behalf of the call that the program is in.
int waitForRequest(MPI_Request *request, MPI_Status *status);

/// Takes back a request when beginning it failed.
void takeBack(MPI_Request request);

} // namespace sendwright::strict

#endif
