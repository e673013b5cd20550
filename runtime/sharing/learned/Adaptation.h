// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing without a profile: in a program built to be profiled and run with
// SENDWRIGHT_ADAPT, exchanges learn their pattern and share messages from then on, until the
// pattern changes.
//
//     scope begins    enter()        an execution of a marked loop begins
//       MPI_Isend     noteSend()     belongs to the innermost one; the first opens the routes
//     scope ends      leave()        LearnedExchange compares it with the one before
//     any MPI call    poll()         looks after what waits too long, and old routes
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

#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

#include <cstdint>

namespace sendwright::exchange {
class SharedCommunicator;
struct Target;
} // namespace sendwright::exchange

namespace sendwright::adaptation {

struct Learning;

/// What this process has learned; null where nothing is learned in this run, and behind
/// MPI_Finalize.
extern Learning *theLearning;
inline bool on() { return theLearning != nullptr; }

/// Whether SENDWRIGHT_ADAPT is set at all ranks, which rank 0 says where it is not. Collective;
/// called once, before anything is recorded.
bool findWhetherWanted(MPI_Comm communicator);
/// What it found; false before.
bool wanted();
/// Whether it is set at this rank.
bool isSet();

/// Begins to learn, where all ranks can. Collective over MPI_COMM_WORLD. `threadLevel` is what MPI
/// provides.
void start(int threadLevel);
/// Takes in what any rank has sent. Collective; all ranks are in MPI_Finalize, and wait for
/// nothing.
void end();

/// The scopes of generate mode; `frame` is the lowest address of the frame that holds the scope.
void enter(sendwright_scope *scope, const char *function, const void *frame) noexcept;
void leave(sendwright_scope *scope) noexcept;

/// The program sends a message that travels with the runtime. `routable`: it may go by route.
void noteSend(const void *frame, exchange::SharedCommunicator &communicator,
              const exchange::Target &target, int tag, std::uint64_t bytes, bool routable);
/// The program waits, or looks whether something is complete.
void noteWait();
/// A blocking send of the innermost loop has waited until its message was taken: by route it is
/// copied, and waits for nobody.
void noteSendWaited();
/// Whether messages of others may wait here.
bool passesOn();
/// The program is about to make a blocking collective call on the communicator. False: nothing
/// more is to be done before it. Collective.
bool meet(MPI_Comm communicator);
/// Part of every progress.
void poll();

/// The program frees the communicator.
void dropCommunicator(exchange::SharedCommunicator &communicator);
/// Whether routes of messages on it are still there.
bool uses(const exchange::SharedCommunicator &communicator);

} // namespace sendwright::adaptation

#endif
