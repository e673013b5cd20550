// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation between super epochs, so that the message buffers of the plan suffice.
//
// The plan lists the calls that this rank is expected to make, and between them how to synchronise
// (analysis/epochs/steps/SynchronizationSteps.h). Every call of the program comes through here
// first. If synchronisation is due, the rank waits until all ranks of a group have come that far;
// or it tells some ranks that it has come that far, and waits until the ranks have to which it is
// about to send.
//
//     MeetingTokens.cpp       waiting for others by point-to-point tokens
//     StepsOfCalls.cpp        the program's calls as steps
//     AnySourceReceives.cpp  whose messages non-blocking receives from any source take
//
// A rank whose call is not the expected one has deviated from the profile: it tells the ranks that
// would wait for it, which do the same in turn. No rank synchronises any more, one line says so,
// and the program goes on without the guarantee. The rank tells the others before it makes the
// call, so no rank waits for one that will not come.
//
// For the one thread that calls MPI: above MPI_THREAD_FUNNELED nothing is synchronised.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_SYNCHRONIZATION_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_SYNCHRONIZATION_H

#include "analysis/mpi/MpiFunctions.h"

#include <mpi.h>

namespace sendwright::synchronization {

// To be called before a call of the program, with its arguments. Nothing happens for MPI_PROC_NULL.

/// A message is sent, a receive is posted, or a collective begins; `peer` and `tag` as the program
/// passed them. `root`: the peer of a collective; null if it has none.
void call(MpiFunctionId function, int peer, int tag, MPI_Comm communicator);
void collective(MpiFunctionId function, const int *root, MPI_Comm communicator);
void exchange(MpiFunctionId function, int destination, int sendTag, int source, int receiveTag,
              MPI_Comm communicator);
/// A receive of a message that a probe has matched.
void matchedReceive(MpiFunctionId function, MPI_Message message);
/// Persistent requests are started.
void start(int count, const MPI_Request *requests);
/// A call that no profile records and that may wait for other ranks. The plan does not know that
/// ranks meet there, and might make them wait for this rank at a synchronisation: so
/// synchronisation is given up.
void unrecordedCall(const char *function);
/// MPI_Buffer_detach, which waits until buffered messages have left: their receivers may wait for
/// this rank at a synchronisation. So what is due is done, and if further calls follow,
/// synchronisation is given up. Does nothing if no buffered send was made since the last detach.
void detach();
/// MPI_Comm_disconnect, in which ranks may wait for one another: the same, always.
void disconnect(MPI_Comm communicator);
/// MPI_Wait, MPI_Waitall.
void wait();
/// MPI_Waitany, MPI_Waitsome.
void waitAny(int count, const MPI_Request *requests);

// After a successful call.

/// How many of the requests are active: to be asked before a test.
int activeRequests(int count, const MPI_Request *requests);
/// MPI_Waitany, MPI_Waitsome or a test completed `count` requests.
void completed(int count);
/// A blocking receive took a message.
void received(const MPI_Status &status, MPI_Comm communicator);
/// A receive that completes later was posted.
void posted(int source, MPI_Comm communicator, MPI_Request request);
/// A probe with these arguments matched a message.
void probed(int source, int tag, MPI_Comm communicator, MPI_Message message,
            const MPI_Status &status);
/// A persistent request was created, whose start is like a call of `startedAs`.
void persistent(MpiFunctionId startedAs, int peer, int tag, MPI_Comm communicator,
                MPI_Request request);
/// Before a request is freed.
void dropRequest(MPI_Request request);
/// A communicator was created; MPI has begun to copy a communicator; or a communicator is about to
/// be freed.
void noteCommunicator(MPI_Comm communicator);
void noteDuplicate(MPI_Comm original, MPI_Comm copy);
void dropCommunicator(MPI_Comm communicator);

/// A place where a super epoch can end: synchronises if this is due.
void boundary();

} // namespace sendwright::synchronization

namespace sendwright {

/// After PMPI_Init: begins if the plan asks for synchronisation. Collective. `threadLevel` is the
/// level that MPI provides.
void startSynchronization(int threadLevel);

} // namespace sendwright

#endif
