// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing at run time: the messages of an exchange travel in combined messages, by the
// routes of the plan.
//
//     scope begins     Routes::open()    an instance of the exchange begins
//       MPI_Isend      CallsSending      goes into the combined messages of its first stage
//     scope ends       Routes::close()   these leave; others leave when their parts have arrived
//     MPI_Irecv        CallsReceiving    posted here if its source sends by route
//     any call of MPI  progress()        receives combined messages, delivers and passes on
//     MPI_Wait         CallsCompletion   a loop of progress() and MPI_Test
//     MPI_Allreduce    meet()            progress until this rank may enter, then MPI's call
//
//     Link.cpp                 messages of any size on the private communicator
//     Routes.cpp               one exchange: contents of its combined messages, its instances
//     SharedCommunicator.cpp   what arrived meets the program's receives, in MPI's order
//     ReceivesAtMpi.cpp        its receives that MPI serves
//     CollectiveEntry.cpp      when a rank may enter a collective
//     ReceiptNotices.cpp       what receivers tell senders that wait for them
//     PostedReceive.cpp        a receive of the program's, as a request and a status
//     MessageSharing.cpp       all of it: progress, and the end
//     SharingByPlan.cpp        its beginning, if a plan asks for it
//     ../learned/              routes that are learned, not planned
//
// A rank that is not in MPI passes nothing on, so every blocking call of the program is a loop
// here. Everything belongs to the one thread that calls MPI.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_EXCHANGE_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_EXCHANGE_H

#include "runtime/base/Interception.h"
#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

namespace sendwright::exchange {

/// True while messages are shared in this run. All ranks agree.
inline bool on() { return sendwright_interception & interceptExchange; }

/// True while MPI carries all messages as if nothing were shared: sharing pauses (Pauses.h), or
/// learning watches.
extern bool pausing __attribute__((visibility("hidden")));
inline bool isPausing() { return pausing; }

/// True while learning watches and MPI carries all messages (WatchedTraffic.h). Unless it also
/// pauses, this rank serves others while it waits.
extern bool watching __attribute__((visibility("hidden")));
inline bool isWatching() { return watching; }

// Called by the wrappers while sharing pauses: the program sends a message, or begins to receive
// one; or the call may send or receive what has no envelope yet.
void noteSentInPause(MPI_Comm communicator, int destination, int tag);
void noteReceiveInPause(MPI_Comm communicator, int source, int tag);
void noteUnknownInPause(MPI_Comm communicator);

/// Receives, delivers and passes on what has arrived. Does not wait. Does nothing if no messages
/// are shared, or when called within itself. To be called in every loop of the runtime that waits
/// for other ranks.
void progress();

/// Waits until this rank may enter the collective call that the caller is about to make: the call
/// runs without the runtime's progress.
void meet(MPI_Comm communicator);
/// The same for the ranks of a group, a window or a file.
void meetGroup(MPI_Group group);
void meetWindow(MPI_Win window);
void meetFile(MPI_File file);
/// The same for both sides of MPI_Intercomm_create, whose arguments these are.
void meetOtherSide(MPI_Comm local, int leader, MPI_Comm peer, int remoteLeader);

/// From here on MPI carries all messages. All ranks are here, and no message of the runtime is
/// under way.
void leave();

/// A communicator was created; MPI has begun to copy a communicator; or a communicator is about to
/// be freed.
void noteCommunicator(MPI_Comm communicator);
void noteDuplicate(MPI_Comm original, MPI_Comm copy);
void dropCommunicator(MPI_Comm communicator);

} // namespace sendwright::exchange

#endif
