// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing without a profile: in a program built to be profiled and run with
// SENDWRIGHT_ADAPT, exchanges learn their pattern and share messages from then on, until the
// pattern changes.
//
//     scope begins    enter()        an execution of a marked loop begins
//       MPI_Isend     noteSend()     belongs to the innermost one; the first opens the routes
//     scope ends      leave()        LearnedExchange compares it with the one before
//     any MPI call    lookAfter()    looks after what waits too long, and old routes
//
//     Executions.cpp        the marked loops that the program is in
//     LearnedExchange.cpp   one loop on one communicator at this rank: what it learned, its routes
//     Leader.cpp            collects the patterns of all ranks, and finds routes
//     ControlMessage.cpp    what they tell one another
//
// Nobody waits for the agreement. Once and for all messages between members of a communicator
// travel with the runtime, numbered, so that a rank may send by route or straight at any moment and
// its receivers need not know. Of each exchange one member is the leader:
//
//     member                                   leader
//     k equal executions     PROPOSE -->
//                                       <--    PLAN      all have proposed, and sharing pays
//     can pass on from here  READY   -->                 with its number of executions
//                                       <--    SWITCH N  all are ready; N is the highest number,
//                                       and one
//     N is over: its part of the instances since N is empty; it shares from the next one on
//     something differs      CHANGED -->
//                                       <--    STOP      to all
//     stops: sends straight what it holds, and tells those to whom it sends combined messages how
//     many there were; whoever hears that stops, too. Then it learns anew, and takes twice as long.
//
// Where nothing pays, all ranks leave their messages to MPI for good: at collective calls on the
// world, where all are anyway, each says whether it has anything to do (Learning::giveUp).
//
// The leader's next message to a rank waits for the rank's answer to a plan, so that no short
// message overtakes a long one. A rank that holds messages for too long stops by itself: nobody
// hangs because somebody stays away.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_ADAPTATION_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_ADAPTATION_H

namespace sendwright::adaptation {

/// Begins to learn, where all ranks can: sharing and marked scopes get their policy and listener.
/// Collective over MPI_COMM_WORLD. `threadLevel` is what MPI provides.
void start(int threadLevel);

} // namespace sendwright::adaptation

#endif
