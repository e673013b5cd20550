// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing at run time: the messages of an exchange travel in combined messages, by the
// routes of the plan.
//
//     scope begins     Routes::open()    an instance of the exchange begins
//       MPI_Isend      CallsSending      goes into the combined messages of its first stage
//     scope ends       Routes::close()   those leave; others when what they pass on has arrived
//     MPI_Irecv        CallsReceiving    posted here, where its source sends by route
//     any call of MPI  progress()        takes in combined messages, delivers and passes on
//     MPI_Wait         CallsCompletion   a loop of progress() and MPI_Test
//     MPI_Allreduce    meet()            progress until all members are there, then MPI's
//
//     Link.cpp                 messages of any size on a private communicator
//     Routes.cpp               one exchange: what is in which combined message, instances
//     SharedCommunicator.cpp   what arrived meets the program's receives, in MPI's order
//     PostedReceive.cpp        a receive of the program's, as a request and a status
//     MessageSharing.cpp      all of it, when MPI begins and ends
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

/// Receives, delivers and passes on what has arrived. Does not wait. Does nothing if no messages
/// are shared, or when called within itself. To be called in every loop of the runtime that waits
/// for other ranks.
void progress();

/// Waits until all members of the communicator have come to the collective call that the caller is
/// about to make; the call can then run without the runtime's progress.
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
