// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI_Sendrecv that are under way at the same time: faces shifted one after the other.
//
//     scope begins       sendwright_chain     nothing in it looks at what its calls receive
//       MPI_Sendrecv     begin()              becomes MPI_Irecv and MPI_Isend
//     scope ends         finish()             MPI_Waitall; the statuses are filled in
//
// The compiler has proved that the scope holds nothing but such calls and what works out their
// arguments. Which bytes the calls receive and send is known when they are made: a call that meets
// bytes of an earlier call waits for those before it. So does a call that could match other
// messages than it would have (any source, any tag), or that is no longer what the program calls
// (another error handler); it then runs as written.
//
// The calls that it makes are calls of MPI like those of the program: they are recorded, captured
// and shared by the layers below.

#ifndef SENDWRIGHT_RUNTIME_CHAINS_PAIRWISECHAIN_H
#define SENDWRIGHT_RUNTIME_CHAINS_PAIRWISECHAIN_H

#include <mpi.h>

namespace sendwright::chains {

/// Begins an MPI_Sendrecv, if a chain is open and the call may be under way together with others.
/// Returns false, with nothing under way, if the call is to run as written; else `result` is what
/// the call returns.
bool begin(const void *sent, int sentCount, MPI_Datatype sentType, int destination, int sentTag,
           void *received, int receivedCount, MPI_Datatype receivedType, int source,
           int receivedTag, MPI_Comm communicator, MPI_Status *status, int *result);
/// An MPI_Sendrecv_replace, which always runs as written: it receives into what it sends.
bool begin(void *buffer, int count, MPI_Datatype datatype, int destination, int sentTag, int source,
           int receivedTag, MPI_Comm communicator, MPI_Status *status, int *result);

} // namespace sendwright::chains

#endif
