// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that the program spells as sends and receives, carried out by the plan's
// schedules (include/sendwright/collectives.h).
//
//     RewrittenLoops.cpp      sendwright_collective(): carries out this rank's part, or says that
//                             the loop must run as written
//     PlannedOperations.cpp   finds the operation of the plan, on its communicator
//     LocalSchedule.cpp       this rank's steps, one send or receive after another
//     Operation.cpp           carries out the steps in order; knows no operation and no algorithm
//     Messages.cpp            messages: a head and the slots' bytes, of any size
//     BlockContents.cpp, BroadcastContents.cpp, ReductionContents.cpp   what the slots hold
//
// Ranks agree on nothing while the program runs. Whether an operation is carried out follows from
// what all ranks know; its messages tell its sizes.
//
// All waits are loops that also pass on the messages of the exchange layer, so members need not
// meet before an operation. Messages travel on the private communicator of the world, where each
// collective of the plan has its own tags. Everything here is for the one thread that calls MPI.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_COLLECTIVES_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_COLLECTIVES_H

#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

namespace sendwright::collectives {

/// A communicator was created, by a call that all its members make; or is about to be freed. Called
/// while interceptCollectives is set, that is, if the plan has collectives on communicators other
/// than MPI_COMM_WORLD.
void noteCommunicator(MPI_Comm communicator);
void dropCommunicator(MPI_Comm communicator);

} // namespace sendwright::collectives

#endif
