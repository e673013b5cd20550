// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank does before a blocking collective call on the world while it learns: in the call it
// passes nothing on. Other communicators of all ranks count as the world: blocking calls may wait
// for all members, so all ranks make those calls in one order.
//
//     nothing is shared        it enters at once; all ranks meet before a few agreed calls
//                              (analysis/sharing/QuietMeetings.h)
//     learned routes in use    as with a plan: the ranks meet until the numbers of instances
//                              between calls repeat; then each keeps its promise, and meetings are
//                              rare (analysis/sharing/ExpectedInstances.h)
//
// All ranks know the same list of plans in use, because it changes at meetings alone. At a meeting
// a plan leaves the list once it has stopped on all ranks. One enters it in two ways:
//
//   - All ranks have their parts of it. At the meeting its leader says so, and switches all ranks
//     to it; each rank waits in the meeting until it has heard that.
//   - All ranks have their parts, have begun equally many calls, and meet before the next. Then the
//     leader switches at once. At the next call each rank says what it has heard, and waits until
//     it has heard what any other has.
//
// Why nobody waits for ever. A rank captures messages only after it has heard of the switch. In the
// first case all ranks were at the meeting before. In the second case every rank has left the calls
// before, and can enter the next one only after the meeting, in which it serves all others. So no
// rank is in a call without having heard while another captures. Once a plan is in the list,
// ExpectedInstances.h says why promised instances end. A rank whose routes have stopped has no
// instances; it enters when it has sent on what its peers contributed to the promised ones, or all
// that they contributed before they stopped as well. A peer that has not stopped keeps its own
// promise, and a peer in the call has kept it; so this comes.
//
// At a call without a meeting each rank whose routes run has begun exactly the promised instances;
// at a meeting ranks may find that all have begun equally many. What a rank executes next is then
// the next instance, whether it has executed as many or not. Which execution an instance is does
// not matter to receivers: messages have numbers of their own.
//
// A message may wait for its receiver's runtime. Before a call without a meeting, a rank tells the
// senders of synchronous messages what it has posted. If it has posted receives of which this
// cannot be told (from any source, or of any tag beside others), it waits until they have their
// messages or all ranks have come to the call; the others do not wait for that
// (runtime/sharing/planned/Arrivals.h). Once a rank has had one of these reasons often, all ranks
// hear of it at the next meeting, and meet before every call from then on.
//
// Other messages that wait are MPI's own. A pair of ranks is handed over to MPI only if the next
// call has a meeting. At that meeting its sender says so, and so it does at the next ones until its
// receiver has answered; as long as any rank says so, the next call has a meeting, too. Once the
// receiver has answered, its receives from this sender alone are MPI's, which serves them in a
// call; and a receive from any source is one of which senders cannot be told.
//
// Before calls on communicators that lack a rank their members always meet.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_WORLDCALLS_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_WORLDCALLS_H

#include "analysis/sharing/ExpectedInstances.h"
#include "analysis/sharing/QuietMeetings.h"
#include "runtime/sharing/planned/Arrivals.h"
#include "runtime/sharing/planned/ExecutionsBetweenCalls.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace sendwright::adaptation {

struct Learning;

class WorldCalls {
public:
  /// `learning` must outlive it.
  explicit WorldCalls(Learning &learning) : learning(learning) {}

  /// The program is about to make a blocking collective call on a communicator of all ranks; its
  /// batches are flushed. Returns when this rank may enter it.
  void enter(MPI_Comm communicator);
  /// The same while it watches: nothing is waited for.
  void passWatching() { ++calls; }
  /// All ranks carry messages from here on, and share nothing yet.
  void restart();
  /// All ranks are at their cuts, and share by this plan from here on. `instances`: those before
  /// each of the next calls, if they repeat as before.
  void startWith(std::uint64_t plan, const std::vector<std::uint64_t> &instances);
  /// Collective; no rank waits. No more calls follow.
  void end();

  /// Which executions come before the next call is counted from here on.
  void noteExecutions();
  /// The rank has heard, or has told all others, that routes of the plan are in use.
  void noteSwitch(std::uint64_t plan) {
    if (known.insert(plan).second)
      heard.insert(plan);
  }
  /// The rank sends a message; it has executed a loop.
  void noteMessage() { anyMessages = true; }
  void noteExecution() { ++executions; }

  std::uint64_t begun() const { return calls; }           ///< calls so far
  std::uint64_t meetings() const { return meetingCount; } ///< before how many of them ranks met
  bool meetsNext() const;
  /// Whether a plan may be switched to now if all ranks have begun as many calls: the ranks meet
  /// before the next call, and this rank has not said yet in that meeting what it knows.
  bool maySwitch() const { return !isMeeting && meetsNext(); }
  /// Whether no routes are in use on any rank, as far as this rank knows.
  bool sharesNothing() const { return plans.empty() && heard.empty(); }

private:
  struct Agreed {
    std::vector<bool> running;        ///< of each plan: on some rank
    ExpectedInstances::Counts counts; ///< of each plan: the largest of any rank
    bool asExpected = false;          ///< see ExpectedInstances::agree()
    bool isEven = false;              ///< all have begun equally many, perhaps not as expected
    bool manyCalls = false;           ///< messages are sent, but few executions between two calls
    bool isQuiet = false;             ///< no rank has anything to do
    std::uint64_t newest = 0;         ///< a plan that is not in the list; 0: none
    std::int64_t place = 0;           ///< see Arrivals
  };

  void meet(MPI_Comm communicator);
  void enterAlone();
  void come();
  bool hasUntold() const;
  void awaitOthers();
  Agreed agree(MPI_Comm communicator);
  bool removeStopped(Agreed &agreed);
  void takeOver(MPI_Comm communicator, const Agreed &agreed);
  void welcome(std::uint64_t plan);
  void addPatterns(std::uint64_t plan);
  void keepPromise();
  bool isKept() const;
  void alignExecutions();
  void setLimits();
  std::uint64_t deviations() const;

  Learning &learning;
  std::vector<std::uint64_t> plans;      ///< in use, each pattern by itself; the same on all ranks
  std::set<std::uint64_t> heard;         ///< in use, but not in the list yet
  std::set<std::uint64_t> known;         ///< of which this rank has ever heard
  ExpectedInstances expected{0};         ///< of `plans`
  exchange::ExecutionsBetweenCalls made; ///< of `plans`
  QuietMeetings quiet;                   ///< while the list is empty
  std::unique_ptr<exchange::Arrivals> arrivals; ///< from before the first call without a meeting
  int untoldWaits = 0;                          ///< calls before which this rank waited for others
  std::uint64_t calls = 0, meetingCount = 0;
  std::uint64_t deviationsBefore = 0; ///< at the last meeting
  std::uint64_t callsAtMeeting = 0;   ///< before the last meeting
  std::int64_t executions = 0;        ///< of loops, since then
  bool anyMessages = false;           ///< since then
  bool isMeeting = false;
  bool meetsForGood = false; ///< some rank's messages often wait for another rank's runtime
  bool pairsLeave = false;   ///< a pair is being left to MPI on some rank, as of the last meeting
};

} // namespace sendwright::adaptation

#endif
