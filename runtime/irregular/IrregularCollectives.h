// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives by messages of the runtime's own: what the plan says of a communicator
// holds for every call of the function on it, from whichever line, because MPI matches the calls of
// different ranks by their order alone.
//
//     MPI_Alltoallv, ...   ReplacedCalls.cpp     is the call on a planned communicator?
//                          BlockExchange.cpp     a message for each block that is not empty
//                          LearnedCollectives.cpp  without a plan: members learn what to replace
//     MPI_Comm_split, ...  PlannedCommunicators.cpp   which communicators are planned
//
// No rank asks another. Sender and receiver know alike whether a block is empty, since MPI demands
// equal type signatures, so both leave it out. Messages travel on the private communicator of the
// world, where each planned communicator has its own tag; MPI keeps the order of successive calls.
// A rank that waits serves others, so members need not meet first while messages are shared.

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_IRREGULARCOLLECTIVES_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_IRREGULARCOLLECTIVES_H

#include "analysis/mpi/MpiFunctions.h"
#include "runtime/base/BlockSide.h"

#include <mpi.h>

namespace sendwright {
struct Machine;
}

namespace sendwright::irregular {

class OwnCommunicator;

/// The run learns which calls to replace, for this machine. Called on all ranks, each with a
/// communicator that has no obstacle, after message sharing has begun to learn.
void learn(const Machine &machine, OwnCommunicator &own);

/// Does the call if the plan replaces it on its communicator, and stores what the call returns in
/// `result`. Returns false if MPI must do it: the plan says nothing of it, or MPI will report an
/// error in the arguments without asking other ranks. Called while interceptIrregular is set.
bool replace(MpiFunctionId function, const BlockSide &sent, const BlockSide &received,
             MPI_Comm communicator, int *result);
/// The same where all blocks leave or reach one rank.
bool replace(MpiFunctionId function, const BlockSide &sent, const BlockSide &received, int root,
             MPI_Comm communicator, int *result);

/// A communicator was created, by a call that all its members make; or is about to be freed. Called
/// while interceptIrregular is set.
void noteCommunicator(MPI_Comm communicator);
void dropCommunicator(MPI_Comm communicator);

} // namespace sendwright::irregular

#endif
