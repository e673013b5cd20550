// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One marked loop on one communicator, at this rank: what it sent in its last executions, and the
// routes that its leader found. If its patterns come by turns, each turn is an exchange of its own.
// If they come in any order, one exchange has routes for each pattern, and executions belong to the
// pattern that they have sent.
// All of it belongs to the one thread that calls MPI.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNEDEXCHANGE_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNEDEXCHANGE_H

#include "analysis/sharing/ExecutionTimes.h"
#include "analysis/sharing/ExpectedInstances.h"
#include "analysis/sharing/PatternTurns.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/batch/Batch.h"
#include "runtime/sharing/learned/ControlMessage.h"
#include "runtime/sharing/learned/OwnPatterns.h"
#include "runtime/sharing/planned/KeptMessages.h"
#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
  bool contradict = false;               ///< ranks have found turns that do not fit together
  bool asked = false;                    ///< they wait for this rank's messages
  LearnedExchange *whole = nullptr;      ///< all executions of the loop are its
  std::vector<LearnedExchange *> ofTurn; ///< for each turn, if there are several

  /// To which the messages of the next execution belong.
  LearnedExchange &next() const;
};

/// What an execution of a loop has sent so far. Two executions have the same pattern if count and
/// sum are equal, whatever the order of their messages and whatever their tags, which many programs
/// change with every iteration. (Two patterns that look alike by chance only cost time.)
struct Execution {
  MarkedLoop *loop = nullptr;
  LearnedExchange *exchange = nullptr; ///< of its first message
  std::uint64_t sum = 0;               ///< over digests of destinations
  std::size_t count = 0;
  std::uint64_t bytes = 0;   ///< of all messages
  bool irregular = false;    ///< has something that cannot be shared
  bool waited = false;       ///< the program waited after a message
  bool waitedBefore = false; ///< the program waited after a message other than the
                             ///< last
  const exchange::RouteTaker *taker = nullptr; ///< of its messages; null: sent directly
  std::vector<SentMessage> sent;

  void add(const SentMessage &message);
};

/// Routes, and what they refer to.
struct LearnedRoutes {
  std::uint64_t plan = 0; ///< as ControlMessage::plan
  std::unique_ptr<RankExchange> part;
  std::unique_ptr<exchange::Routes> routes;
};

/// One of the patterns that an exchange shares, at this rank. If all executions have one pattern,
/// that.
struct SharedPattern {
  std::uint32_t own = 0;  ///< its number in OwnPatterns; 0: this rank takes no part, or there is
                          ///< one pattern
  PatternContext context; ///< after which executions it is this one
  std::uint64_t executions = 0; ///< so far; all ranks that take part count them alike
  std::uint64_t first = 0;      ///< the first that shares
  std::int64_t ahead = 0;       ///< instances contributed empty since then, less executions sent
                                ///< directly
  double directSeconds = 0;     ///< of an execution before; 0: not known
  LearnedRoutes routes;         ///< empty if this rank has no part in it

  /// The instance of its routes to which this rank's next execution belongs, from 0.
  std::uint64_t nextInstance() const {
    return executions - first + static_cast<std::uint64_t>(ahead); // wraps, and back
  }
};

/// Keeps what an execution sends until it is known which pattern that is.
class RoutesByPattern final : public exchange::KeptMessages {
public:
  RoutesByPattern(LearnedExchange &exchange, Straight straight)
      : KeptMessages(std::move(straight)), exchange(exchange) {}
  void set(std::vector<exchange::Routes *> routes) { all = std::move(routes); }
  /// The execution that is under way.
  void begin(const Execution &execution) {
    current = &execution;
    open();
  }

private:
  exchange::Routes *choose(const std::vector<Kept> &sent) override;

  LearnedExchange &exchange;
  const Execution *current = nullptr;
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
  void ask() { asked = answersLeader = true; }
  /// The same where patterns come in any order.
  void askForPatterns() { askedForPatterns = true; }

  /// A combined message for its routes of the plan arrived, or the news that a peer's routes have
  /// stopped.
  void combined(std::uint64_t plan, int source, int stage, std::uint64_t number,
                std::span<std::byte> message);
  /// Stops if messages wait here for longer than `limit` seconds.
  void stopIfLate(double limit, double now);
  /// The loop has turns, or other ones: its executions are not those of one pattern any more.
  void leave();
  /// Turns of the loop are shared.
  void leaveToTurns();
  /// The program frees the communicator.
  void giveUp();
  bool isGivenUp() const { return givenUp; }

  /// This rank has proposed its messages a short while ago: its leader may want to share soon.
  bool hasJustProposed() const {
    constexpr std::uint64_t shortWhile = 16; // executions
    return proposed && !shares && executions <= proposedAt + shortWhile;
  }
  /// Whether the messages of the next execution must be examined one by one.
  bool wantsSizes() const {
    return (!proposed || (inAnyOrder && planKey == 0)) && !unsuitable && loop.deferrable;
  }
  /// Executions until it is likely to propose that all have one pattern, and to look for an
  /// answer, if it has seen the pattern repeat.
  std::optional<std::uint64_t> executionsToProposal() const;
  /// It may propose patterns in any order soon.
  bool isAboutToPropose() const;
  bool hasRoutes() const {
    return std::ranges::any_of(planned,
                               [](const auto &one) { return one.routes.routes != nullptr; });
  }
  /// Its routes of that plan, or null.
  exchange::Routes *routesOf(std::uint64_t plan) const;
  /// The pattern that is shared by these routes and of which this rank sends messages, or null.
  const SharedPattern *sharedBy(std::uint64_t plan) const;
  /// The next execution of that pattern is the next instance of its routes. Does nothing while an
  /// execution is under way.
  void alignExecutions(std::uint64_t plan);
  /// The routes to which an execution belongs that has sent this; null if it goes directly.
  exchange::Routes *routesFor(const Execution &execution) const;
  /// Whether it shares patterns in any order.
  bool sharesPatterns() const { return shares && inAnyOrder; }
  bool isShared() const { return shares; }
  std::uint64_t executionsSoFar() const { return executions; }
  /// How many executions there were: of all of the loop if the pattern is 0, else of that one of
  /// this rank's own since the last collective call of all ranks.
  std::uint64_t executionsSoFar(std::uint32_t pattern) const;
  /// How often each pattern of the plan was executed.
  std::vector<std::uint64_t> executionsOfPatterns() const;
  /// From the end of an execution to the end of the next one, typically; 0: not known yet.
  double seconds() const { return times.typical(); }
  /// The rank watches, and is about to make a collective call of all ranks.
  void noteCall();
  /// At its leader: how many executions come before each of the next calls, if that repeats.
  std::vector<std::uint64_t> executionsBeforeCalls() const;

  /// The next execution after number `after` at whose end ranks that have proposed look for answers
  /// while they watch.
  static std::uint64_t nextLook(std::uint64_t after);
  /// From there on, how many executions there are at most from one look to the next.
  static std::uint64_t longestBetweenLooks(std::uint64_t after);

  const ExchangeKey key;
  const std::shared_ptr<LoopPatterns> patterns;
  MarkedLoop &loop;
  exchange::SharedCommunicator &communicator;

private:
  bool mayProposeOne() const;
  void learn(const Execution &execution);
  void learnPatterns();
  bool mayProposePatterns() const;
  bool arePatternsWorthProposing() const;
  void proposePatterns();
  void noteStrange(const Execution &execution);
  std::size_t endExecution(const Execution &execution);
  void compare(const Execution &execution, std::size_t captured);
  void watchOn();
  bool looks() const;
  bool hearsProposals() const;
  bool isWorthProposing() const;
  bool polls(std::uint64_t before, std::uint64_t ofExecutions) const;
  std::uint64_t childrenOfLeader() const;
  /// Whether ranks with few messages may be about to propose.
  bool isEarly() const;
  void propose();
  void change(Change why);
  void stopOtherTurns(Change why);
  void relearn();
  void catchUp();
  std::uint64_t notMeasured() const;
  void measure();
  bool isConclusive() const;
  bool isConclusiveForPatterns() const;
  ControlMessage measured() const;
  void readPlan(const ControlMessage &plan);
  void takePlan(const ControlMessage &plan);
  void takePatterns(const PlannedPart &part);
  void countPatterns();
  void shareFrom(const std::vector<std::uint64_t> &first);
  void noteDirectSeconds();
  void stopRoutes();
  void tell(ControlMessage message) const;
  void tellProposal(ControlMessage message);
  void tellChanged(std::uint64_t number, Change why) const;

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
  double meetingsBefore = 0;          ///< Learning::expectedMeetings() when the first of them ended
  std::uint64_t pollsBefore = 0;      ///< Learning::pollsInVain then
  ExecutionTimes times;               ///< of the last of them; while it shares, of those that share
  double finishedAt = 0;              ///< when the last one ended
  std::uint64_t worldMeetings = 0;    ///< WorldCalls::meetings() then
  std::vector<std::uint64_t> atCalls; ///< executions before the last calls, at its leader while it
                                      ///< watches
  // Patterns in any order; only if the exchange is that of the whole loop.
  OwnPatterns own;
  double meetingsBeforeRow = 0;     ///< like `meetingsBefore`, when patterns began to repeat
  std::uint64_t callsBeforeRow = 0; ///< WorldCalls::begun() then
  std::uint64_t pollsBeforeRow = 0; ///< Learning::pollsInVain then
  std::uint64_t neededInRow;   ///< executions that repeat until they are proposed; doubled after
                               ///< each change
  std::uint64_t numbering = 0; ///< PatternRecord::forgotten() when they were proposed
  int strange = 0;             ///< executions with patterns that were not proposed, less others
  std::uint32_t proposedPatterns = 0; ///< how many there were
  // What was proposed.
  bool asked = false, askedForPatterns = false;
  bool answersLeader = false; ///< by its next proposal
  bool proposed = false, unsuitable = false, givenUp = false;
  bool inAnyOrder = false;    ///< what was proposed are patterns in any order
  bool hasTurns = false;      ///< this rank sees turns: the loop has more than one pattern
  int timesProposed = 0;      ///< patterns in any order, since the last plan or change
  int waits = 0;              ///< sharing executions that waited between their sends
  int timesOutOfTurn = 0;     ///< plans that stopped because ranks may count turns differently
  std::uint64_t proposal = 0; ///< its number
  std::uint64_t proposedSum = 0, proposedAt = 0; ///< `proposedAt`: after so many executions
  std::size_t proposedCount = 0;
  // The leader's plan.
  std::uint64_t planKey = 0;   ///< 0: none
  std::uint64_t planBasis = 0; ///< number of the proposal that the plan rests on
  bool shares = false;
  bool isUnderWay = false;            ///< an execution has sent, and has not ended
  std::uint64_t sharedAt = 0;         ///< after so many executions of the loop
  bool measuring = false;             ///< its leader waits for the measurement
  std::vector<SharedPattern> planned; ///< of the plan
  RoutesByPattern kept;
};

inline LearnedExchange &LoopPatterns::next() const {
  return ofTurn.empty() || whole->sharesPatterns() ? *whole : *ofTurn[turns.next()];
}

inline exchange::Routes *RoutesByPattern::choose(const std::vector<Kept> &) {
  return current ? exchange.routesFor(*current) : nullptr;
}

} // namespace sendwright::adaptation

#endif
