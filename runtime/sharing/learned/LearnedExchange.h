// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One marked loop on one communicator, at this rank: what it sent in its last executions, and the
// routes that its leader found. If its patterns come by turns, each turn is an exchange of its own.
// All of it belongs to the one thread that calls MPI.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNEDEXCHANGE_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNEDEXCHANGE_H

#include "analysis/sharing/ExecutionTimes.h"
#include "analysis/sharing/PatternTurns.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/learned/ControlMessage.h"
#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sendwright::adaptation {

class LearnedExchange;
struct LoopPatterns;

/// A marked loop; in a template, in one instantiation.
struct MarkedLoop {
  std::uint64_t digest = 0; ///< of its identity, the same on all ranks
  bool deferrable = false;  ///< its sends may leave at its end
  bool isBlock = false;     ///< of statements and loops, which are learned together
  PlannedSite site{
      "", IssueOrders(), {}, nullptr}; ///< for the batch; `shared` while an execution shares
  LoopPatterns *last = nullptr;        ///< on the communicator of its last messages
  int sharing = 0;                     ///< number of its exchanges that share
};

struct SentMessage {
  std::int32_t destination = 0;
  std::uint64_t bytes = 0;
};

/// A marked loop on one communicator.
struct LoopPatterns {
  LoopPatterns(MarkedLoop &loop, exchange::SharedCommunicator &communicator)
      : loop(loop), communicator(communicator) {}

  MarkedLoop &loop;
  exchange::SharedCommunicator &communicator;
  PatternTurns turns;
  unsigned found = 1;                    ///< turns that other ranks have found
  unsigned agreed = 1;                   ///< turns that all ranks are known to count alike
  bool asked = false;                    ///< they wait for this rank's messages
  std::vector<LearnedExchange *> ofTurn; ///< for each turn

  /// To which the next execution belongs.
  LearnedExchange &next() const { return *ofTurn[turns.next()]; }
};

/// What an execution of a loop has sent so far. Two executions have the same pattern if count and
/// sum are equal, whatever the order of their messages and whatever their tags, which many programs
/// change with every iteration. (Two patterns that look alike by chance only cost time.)
struct Execution {
  MarkedLoop *loop = nullptr;
  LearnedExchange *exchange = nullptr; ///< of its first message
  std::uint64_t sum = 0;               ///< over digests of destinations
  std::size_t count = 0;
  std::uint64_t bytes = 0;                  ///< of all messages
  bool irregular = false;                   ///< has something that cannot be shared
  bool waited = false;                      ///< the program waited after a message
  bool waitedBefore = false;                ///< the program waited after a message other than the
                                            ///< last
  const exchange::Routes *routes = nullptr; ///< carry its messages; null: sent directly
  std::vector<SentMessage> sent;

  void add(const SentMessage &message);
};

/// Routes, and what they refer to.
struct LearnedRoutes {
  std::uint64_t plan = 0; ///< as ControlMessage::plan
  std::unique_ptr<RankExchange> part;
  std::unique_ptr<exchange::Routes> routes;
};

class LearnedExchange {
public:
  /// `leader` is a rank in the world. The loop and the communicator must outlive this.
  /// `executions`: how many there were before.
  LearnedExchange(ExchangeKey key, std::shared_ptr<LoopPatterns> patterns, int leader,
                  std::uint64_t executions);

  /// The first message of an execution is about to be sent: begins to share if it is time.
  void begin(Execution &execution);
  /// An execution is over.
  void finish(const Execution &execution);

  // Called by the leader:
  void install(const ControlMessage &plan);
  void share(const ControlMessage &switching);
  /// All ranks are at their cuts: both at once, from the next execution on.
  void shareAtCut(const ControlMessage &plan);
  void stop(const ControlMessage &stopping);
  /// Others have messages that may be shared: this rank proposes its own even if they are few.
  void ask() { asked = true; }

  /// A combined message for its routes arrived, or the news that a peer's routes have stopped.
  void combined(int source, int stage, std::uint64_t number, std::span<std::byte> message);
  /// Stops if messages wait here for longer than `limit` seconds.
  void stopIfLate(double limit, double now);
  /// The loop has other turns: no execution belongs to this exchange any more.
  void leave();
  /// The program frees the communicator.
  void giveUp();
  bool isGivenUp() const { return givenUp; }

  /// This rank has proposed its messages a short while ago: its leader may want to share soon.
  bool hasJustProposed() const {
    constexpr std::uint64_t shortWhile = 16; // executions
    return proposed && !shares && executions <= proposedAt + shortWhile;
  }
  /// Whether the messages of the next execution must be examined one by one.
  bool wantsSizes() const { return !proposed && !unsuitable && loop.deferrable; }
  bool hasRoutes() const { return routes.routes != nullptr; }
  /// Its routes of that plan, or null.
  exchange::Routes *routesOf(std::uint64_t plan) const {
    return routes.plan == plan ? routes.routes.get() : nullptr;
  }
  std::uint64_t executionsSoFar() const { return executions; }
  /// From the end of an execution to the end of the next one, typically; 0: not known yet.
  double seconds() const { return times.typical(); }

  /// The next execution after so many at whose end ranks that have proposed look for answers while
  /// they watch.
  static std::uint64_t nextLook(std::uint64_t after);

  const ExchangeKey key;
  const std::shared_ptr<LoopPatterns> patterns;
  MarkedLoop &loop;
  exchange::SharedCommunicator &communicator;

private:
  void learn(const Execution &execution);
  void watchOn();
  bool looks() const;
  bool isWorthProposing() const;
  void propose();
  void change(Change why);
  void stopOtherTurns(Change why);
  void relearn();
  void catchUp();
  std::uint64_t notMeasured() const;
  void measure();
  bool isConclusive() const;
  void takePlan(const ControlMessage &plan);
  void shareFrom(std::uint64_t execution);
  void stopRoutes();
  void tell(ControlMessage message) const;

  const int leader;
  const std::uint64_t executionsBefore; ///< of its turn, before there were so many turns
  std::uint64_t executions;
  // The last executions.
  std::uint64_t lastSum = 0;
  std::size_t lastCount = 0;
  std::uint64_t equal = 0;          ///< how many are equal, in a row
  std::uint64_t needed;             ///< how many are needed to propose; doubled after each change
  std::vector<SentMessage> samples; ///< everything that the first `sampled` of them sent
  unsigned sampled = 0;
  double meetingsBefore = 0;       ///< Learning::expectedMeetings() when the first of them ended
  ExecutionTimes times;            ///< of the last of them; while it shares, of those that share
  double finishedAt = 0;           ///< when the last one ended
  std::uint64_t worldMeetings = 0; ///< WorldCalls::meetings() then
  // What was proposed.
  bool asked = false;
  bool proposed = false, unsuitable = false, givenUp = false;
  int waits = 0;              ///< sharing executions that waited between their sends
  int timesOutOfTurn = 0;     ///< plans that stopped because ranks may count turns differently
  std::uint64_t proposal = 0; ///< its number
  std::uint64_t proposedSum = 0, proposedAt = 0; ///< `proposedAt`: after so many executions
  std::size_t proposedCount = 0;
  // The leader's plan.
  std::uint64_t planKey = 0;   ///< 0: none
  std::uint64_t planBasis = 0; ///< number of the proposal that the plan rests on
  bool shares = false;
  std::uint64_t first = 0;  ///< the first execution that shares
  double directSeconds = 0; ///< of an execution before
  bool measuring = false;   ///< its leader waits for the measurement
  LearnedRoutes routes;     ///< empty if this rank has no part in it
};

} // namespace sendwright::adaptation

#endif
