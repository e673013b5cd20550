// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How all ranks change from watching, where MPI carries all messages, to the runtime's carrying.
//
// Each rank changes at a point of its own, its cut. What must hold: the messages that were sent
// before the senders' cuts are those for which receives were posted before the receivers' cuts, so
// that no message is sent in one way and expected in the other (WatchedTraffic.h). The sums of all
// ranks add up to 0 then. There are two kinds of cuts:
//
//   - A collective call of all ranks. Before few agreed calls (WatchMeetings.h) they add up their
//     sums, and say whether any has found routes that are worth sharing. MPI's call may itself wait
//     for all ranks there, so no rank waits longer than it might without this.
//   - In a program without such calls: an execution of the loop that is worth sharing, or of one of
//     its patterns that all ranks have, if they execute the loop unequally often. Its leader names
//     one that no rank should have come to:
//
//         leader                          member
//         MOVE N           -->            refuses if it is past N, watches no more, or has heard of
//                                         another one
//                          <--   AT CUT   at its N-th execution, with its sum: it waits here
//         ANSWER           -->            to all: cross, if all are at their cuts and their sums
//                                         add up to 0; else go on as before
//
// What a rank says at its cut, and the answer that all cross, go by way of others (ControlTree.h).
//
// All ranks that cross share at once: the leader's answer has the routes that it found, and they
// are used from each rank's next execution on. At a collective call the leader of greatest rank
// sends such an answer, for which all wait.
//
// The sum also contains which collective calls a rank has made since, so that no rank crosses
// before a call and another one after it: before it, one would meet and the other would not.
//
// Why no rank waits for good. A rank at its cut waits for the answer alone, and asks for one if it
// has waited for long (it refuses then). The leader answers as soon as one rank refuses or all are
// at their cuts. From MOVE to ANSWER it serves others whenever it waits in MPI; it answers 'go on'
// before it enters a collective call, and before it ends. So each rank gets an answer once the
// leader is in MPI. All ranks cross, or none: a rank that does not wait at its cut has not said so,
// so the answer is 'go on'; and a rank at its cut leaves it by the answer alone.
//
// A rank that has crossed may send to a rank that has not heard the answer yet. That one waits at
// its cut and will hear that it crosses, so it can take the message as one of the runtime's. A
// combined message is kept until the rank knows the routes, and so is the news that these have
// stopped.
//
// analysis-tests --gtest_filter='CrossingSearch*' searches all interleavings of three ranks.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_CROSSING_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_CROSSING_H

#include "analysis/sharing/CommonPatterns.h"
#include "runtime/sharing/learned/ControlMessage.h"
#include "runtime/sharing/planned/Policy.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sendwright::adaptation {

struct Learning;
class LearnedExchange;

/// Which executions of a loop are counted up to a cut: all ranks execute these equally often.
struct ExecutionsOfCut {
  /// Those of the first pattern since the last collective call; without patterns, all. No rank
  /// crosses unless all have executed the others equally often, too.
  std::vector<CommonPattern> patterns;
  double ofLoop = 1; ///< executions of the loop for each of these, at most
};

class Crossing {
public:
  /// `learning` must outlive it.
  explicit Crossing(Learning &learning) : learning(learning) {}

  // At a leader.

  /// All ranks shall cross at an execution of this loop, unless that was tried too often. Does
  /// nothing while it waits for an earlier attempt.
  void begin(const ExchangeKey &key, const ExecutionsOfCut &cut);
  /// This rank is about to stop serving others: answers that all go on as before.
  void giveUp();
  /// All ranks cross at a collective call: tells them by which routes of a leader here they share.
  void answerAtCall();

  // At every rank, while it watches.

  /// An execution of the loop begins, or is over.
  void atBeginning(const LearnedExchange &of);
  void atEnd(const LearnedExchange &of);
  /// Serves others no longer while it waits, unless that is needed.
  void rest();
  /// The rank is about to make a blocking collective call; or it ends.
  void noteCall(MPI_Comm communicator);
  void refuseAll();
  /// A message of this protocol has come.
  void hear(int source, const ControlMessage &message);
  /// Waits at a collective call for what a leader tells by answerAtCall().
  ControlMessage awaitAnswerAtCall();
  /// Whether an answer may bring this rank routes that others use already.
  bool waitsForAnswer() const { return waits; }

private:
  struct Attempt { ///< at a leader
    ExchangeKey key;
    std::uint64_t id = 0;
    std::set<int> waiting;
    std::uint64_t sum = 0, otherSum = 0;
    std::vector<CommonPattern> patterns;        ///< as in ExecutionsOfCut
    std::vector<std::uint64_t> executions = {}; ///< of each of them, at the ranks that wait
  };
  struct Move { ///< at a member
    int leader = 0;
    std::uint64_t id = 0;
    ExchangeKey key;
    std::uint64_t execution = 0;
    std::vector<std::uint32_t> patterns; ///< this rank's own: executions of the first are counted,
                                         ///< or all if there is none
    bool atEnd = true;

    std::uint32_t counted() const { return patterns.empty() ? 0 : patterns.front(); }
  };
  void accept(int source, const ControlMessage &message);
  void count(int source, const ControlMessage &message);
  void answer(bool crosses);
  void send(std::vector<ControlMessage> answers, std::uint64_t id, bool crosses);
  void refuse(int leader, std::uint64_t id);
  void waitAtCut();
  std::uint64_t executionsToTellAll(const ExchangeKey &key) const;
  bool hasCome(const LearnedExchange &of) const;
  static bool agrees(Attempt &of, int source, const std::vector<std::uint64_t> &executions);
  std::uint64_t sum() const;

  Learning &learning;
  std::optional<Attempt> attempt;
  std::uint64_t attempts = 0;
  std::uint64_t notBefore = 0; ///< executions of a pattern before the next attempt by them
  bool atEndNext = true;       ///< of the next attempt: cuts at the ends of executions
  std::optional<Move> move;
  std::uint64_t sumAtBeginning = 0; ///< of the last execution of the loop
  bool wasCountedAtBeginning = false;
  std::optional<ControlMessage> answered, answeredAtCall;
  bool waits = false;
  std::uint64_t calls = 0; ///< collective calls on communicators without all ranks, hashed
  std::map<std::uint32_t, std::uint64_t> numberOf; ///< of these, by communicator
  bool uncountedCalls = false;
};

} // namespace sendwright::adaptation

#endif
