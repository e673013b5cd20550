// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing without a profile: in a program built to be profiled and run with
// SENDWRIGHT_ADAPT, exchanges learn their pattern and share messages from then on, until the
// pattern changes.
//
//     scope begins    enter()        an execution of a marked loop begins
//       MPI_Isend     noteSend()     belongs to the innermost loop; the first opens the routes
//     scope ends      leave()        LearnedExchange compares it with the previous execution
//     any MPI call    lookAfter()    looks after messages that wait too long, and old routes
//
//     Beginning.cpp         when learning begins, and the scopes of loops that learn
//     Executions.cpp        the marked loops that the program is in
//     LearnedExchange.cpp   one loop on one communicator at this rank: what it learned
//     SharedExecutions.cpp  ... its routes, and which executions use them
//     PatternsInAnyOrder.cpp  ... if its patterns come in any order: the routes of each
//     OwnPatterns.cpp       ... what these patterns are, and when they were sent
//     Watching.cpp          meetings while nothing is carried
//     Crossing.cpp          when the runtime begins to carry all messages
//     Leader.cpp            collects the patterns of all ranks, finds routes, and drops them again
//     WorldCalls.cpp        when a rank may enter a collective call, and when sharing may begin
//     ControlMessage.cpp    what members and leader tell one another
//     ControlTree.cpp       ... by way of other ranks
//     PatternProposal.cpp   ... of patterns in any order, and of routes
//
// At first the ranks only watch: MPI carries all messages, and learning is told of them. Nothing is
// sent for it before messages repeat. Once a leader has found routes that are worth sharing, all
// ranks cross (Crossing.h): from then on the runtime carries all messages between members of a
// communicator, with numbers, so that a rank may send by route or directly at any moment without
// its receivers knowing. (A large message leaves its pair of ranks to MPI: SharedCommunicator.h.)
// No rank waits for the agreement on a plan. Each exchange has one member as its leader:
//
//     member                                   leader
//     k equal executions     PROPOSE -->                by way of others (ControlTree.h)
//                                       <--    ASK       to members with few messages
//                                                        all have proposed, and sharing pays:
//                                                        all ranks cross if they have not yet, and
//                                                        share at once (Crossing.h); else:
//                                       <--    PLAN
//     can pass on from here  READY   -->                 with its number of executions
//                                       <--    SWITCH N  all are ready, and no rank is in a
//                                                        collective call without having heard
//                                                        (WorldCalls.h); N: the highest number + 1
//     past N: its part of the instances since N is empty; it shares from the next instance on
//     has measured both      MEASURED -->
//                                       <--    STOP      to all, if executions take longer
//     something differs      CHANGED -->
//                                       <--    STOP      to all
//     stops: sends directly what it holds, and tells the ranks to which it sends combined messages
//     how many there were; a rank that hears this stops, too. Then it learns anew, for twice as
//     long. An exchange that has lost twice is not shared any more.
//
// If nothing pays any more, all ranks only watch again: at meetings before collective calls on the
// world each says whether it has anything to do (Learning::returnsToWatching).
//
// Where patterns come in any order, PROPOSE has all that a rank has sent lately, and the plan has
// routes for each pattern that ranks have in common.
//
// The leader's next message to a rank waits for the rank's answer to a plan, so that no short
// message overtakes a long one. A rank that holds messages for too long stops by itself, so no rank
// hangs because another stays away.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_ADAPTATION_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_ADAPTATION_H

#include "analysis/machine/Machine.h"

#include <optional>
#include <string>

struct sendwright_unit;

namespace sendwright::adaptation {

/// How this rank learns if all ranks agree to, because SENDWRIGHT_ADAPT is set.
class OwnStart {
public:
  /// Reads the machine that SENDWRIGHT_ADAPT names. `threadLevel` is the level that MPI provides.
  explicit OwnStart(int threadLevel);
  /// Why this rank cannot learn, or null.
  const char *obstacle() const { return own; }
  /// All ranks have heard of all obstacles (obstacleToLearning()). Begins to learn, or says why
  /// not: gives sharing its policy, and marked scopes their listener. Collective over
  /// MPI_COMM_WORLD. Returns the machine for which it learns, on all ranks, or null.
  const Machine *begin();
  OwnStart(const OwnStart &) = delete;
  OwnStart &operator=(const OwnStart &) = delete;

private:
  std::string problem; ///< with the machine
  std::optional<Machine> machine;
  const char *own;
};

/// Begins to learn, if all ranks can, in a program whose plan shares messages, but is for other
/// numbers of ranks: the loops that it shares learn, and no others. Called on all ranks if on any.
void startFromPlan(int threadLevel, const sendwright_unit &unit);

/// If most messages of the plan's loops turn out not to be the plan's, the loops learn from then
/// on. Called after the plan's sharing has begun.
void replacePlanThatDoesNotFit(int threadLevel, const sendwright_unit &unit);

} // namespace sendwright::adaptation

#endif
