// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations that the program spells with sends and receives, done by the plan's
// schedules (include/sendwright/collectives.h).
//
//     sendwright_collective()  Calls.cpp          does this rank's part, or says that it is to run
//                                                 as written
//     whose operation it is    PlannedOperations.cpp   which one of the plan, on which
//                                                 communicator
//     this rank's steps        LocalSchedule.cpp  one send or receive after the other
//     carried out              Operation.cpp      in order; knows no operation and no algorithm
//     messages                 Messages.cpp       a head and the slots' bytes, of any size
//     what is in the slots     BlockContents.cpp, BroadcastContents.cpp, ReductionContents.cpp
//
// Nobody agrees on anything while the program runs. Whether an operation is done follows from what
// all ranks know alike; what sizes it has, its messages say.
//
// All waits are loops that pass on what the exchange layer has to, so members need not meet before
// an operation. Messages travel on one private communicator of the world; each collective of the
// plan has tags of its own there. All is for the one thread that calls MPI.

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
