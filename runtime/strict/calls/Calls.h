// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of MPI share that strict buffers change.

#ifndef SENDWRIGHT_RUNTIME_STRICT_CALLS_CALLS_H
#define SENDWRIGHT_RUNTIME_STRICT_CALLS_CALLS_H

#include "runtime/strict/Blocking.h"

#include <mpi.h>

namespace sendwright::strict {

using NonblockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/// Whether the message is one to follow: between ranks of MPI_COMM_WORLD, and nothing that MPI
/// would object to. Else MPI gets the call as it is, and the error appears there.
bool isFollowed(const SendArguments &arguments);

/// MPI_Irecv, noted.
int postReceive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm communicator, MPI_Request *request);

/// Waits for a request of the program, on behalf of the call that the program is in.
int waitForRequest(MPI_Request *request, MPI_Status *status);

/// Takes back a request that was begun in vain.
void takeBack(MPI_Request request);

} // namespace sendwright::strict

#endif
