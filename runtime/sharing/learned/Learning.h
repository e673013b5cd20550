// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a process keeps while it learns.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNING_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_LEARNING_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/WatchMeetings.h"
#include "runtime/base/MarkedScopes.h"
#include "runtime/base/Process.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Batch.h"
#include "runtime/recording/Marks.h"
#include "runtime/sharing/learned/Adaptation.h"
#include "runtime/sharing/learned/ControlTree.h"
#include "runtime/sharing/learned/Crossing.h"
#include "runtime/sharing/learned/Leader.h"
#include "runtime/sharing/learned/LearnedExchange.h"
#include "runtime/sharing/learned/WorldCalls.h"
#include "runtime/sharing/planned/MessageSharing.h"
#include "runtime/sharing/planned/Policy.h"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sendwright::adaptation {

/// Tell learning() about scopes: of programs built to be profiled, and of loops whose plan is for
/// other numbers of ranks.
struct ScopesOfProfiledUnits final : ScopeListener {
  void enter(sendwright_scope *scope, const char *function, const void *frame) noexcept override;
  void leave(sendwright_scope *scope) noexcept override;
};
struct ScopesOfPlannedUnits final : LearnedScopeListener {
  void enter(sendwright_scope *scope, const PlannedSite &site, const void *frame) noexcept override;
  void leave(sendwright_scope *scope) noexcept override;
};

struct Learning final : Layer, exchange::Policy {
  static constexpr LayerPlace place = LayerPlace::Learning;

  Learning(exchange::MessageSharing &sharing, Machine machine);

  /// Listens to other ranks' messages.
  void listen();

  // For exchanges and leaders:
  void tell(int rank, const ControlMessage &message);
  /// The same with what encodeControl() has made.
  void tell(int rank, const std::string &bytes);
  /// A message of that rank has come.
  void hear(int source, std::string_view bytes);
  /// The communicator of an exchange if this rank knows it, else null.
  const Communicator *communicator(const ExchangeKey &key) const;
  /// The loop's name, for a person.
  std::string nameOf(const ExchangeKey &key) const;
  /// Whether numbers are left for further plans of this rank.
  bool mayPlan() const { return plans < mostPlansOfRank; }
  /// A number for a plan of this rank with so many patterns, as in ControlMessage::plan. Only if
  /// mayPlan().
  std::uint64_t nextPlan(std::size_t patterns);
  std::unique_ptr<exchange::Routes> makeRoutes(const LearnedExchange &exchange,
                                               const RankExchange &part, std::uint64_t plan);
  /// This rank's routes of the plan, in use or stopped; null if it has none, or no longer.
  exchange::Routes *routesOf(std::uint64_t plan) const;
  /// Executions that belong to these routes, so far; ExecutionsBetweenCalls::unknown if this rank
  /// sends nothing by them, or has stopped them.
  std::int64_t executionsByRoutes(std::uint64_t plan) const;
  /// This rank's next execution is the next instance of these routes.
  void alignExecutions(std::uint64_t plan);
  /// A plan of a leader at this rank that all ranks can follow and that waits for a meeting; or 0.
  std::uint64_t pendingPlan() const;
  /// All ranks have met: if the plan is of a leader at this rank and waits, it is switched to.
  void switchTo(std::uint64_t plan);
  /// All ranks have been told that this plan of a leader here is in use.
  void noteSwitched(std::uint64_t plan) {
    switched.insert(plan);
    worldCalls.noteSwitch(plan);
  }
  /// The same at a cut, where they need not be told.
  void noteSwitchedAtCut(std::uint64_t plan) { switched.insert(plan); }

  // While it watches:

  /// The first execution of a loop at whose end a rank looks for messages of others; also the
  /// number of collective calls from one look to the next. Each look takes time.
  static constexpr std::uint64_t firstLook = 8;
  /// Looks for messages of other ranks; does nothing unless it watches.
  void look();
  /// Whether a leader here has found routes that are worth sharing; `byTurns`: also of a turn.
  bool wantsToShare(bool byTurns) const;
  /// A leader here wants to share: all ranks shall cross, at a collective call or an execution.
  void wish(const ExchangeKey &key, const ExecutionsOfCut &cut);
  /// What a leader at this rank tells the ranks that cross (Leader::planAtCut): the exchange's, or
  /// that of any exchange that is worth sharing if `key` is null.
  std::vector<ControlMessage> planAtCut(const ExchangeKey *key);
  /// From here on the runtime carries all messages, on all ranks, and shares by the plan in the
  /// answer.
  void carry(const ControlMessage &answer);
  bool hasAllRanks(MPI_Comm communicator);
  void callWhileWatching(MPI_Comm communicator) override;
  bool hasCarried() const override { return changes != 0; }
  void endWatching() override;
  Crossing crossing{*this};
  ControlTree tree{*this};
  std::uint64_t executionsSinceCall = 0;
  std::uint64_t mostBetweenCalls = 0; ///< executions between two calls so far

  // Turns. Nothing is shared by turns unless all ranks have executed the loop equally often.

  /// A number that is equal on two ranks if they have executed each loop with turns that all ranks
  /// know equally often.
  std::uint64_t executionsByTurns() const;
  /// All ranks, at one collective call, have found whether these are equal.
  void noteTurns(bool areEqual);
  /// Whether all ranks are known to count the turns of its loop alike, if it has any.
  bool countsAlike(const ExchangeKey &key) const;

  /// An exchange with a leader at this rank was executed.
  void noteExecution(const ExchangeKey &key, bool isEarly);
  /// Whether this rank has come to the exchange, with as many turns.
  bool knows(const ExchangeKey &key) const;
  /// Whether its leader here has heard of some members' proposals, and others are likely to come
  /// soon.
  bool hearsProposals(const ExchangeKey &key) const {
    const auto leader = leaders.find(key);
    return leader != leaders.end() && leader->second.hearsProposals();
  }
  /// Executions of the exchange at this rank so far.
  std::uint64_t executionsOf(const ExchangeKey &key, std::uint32_t pattern = 0) const;
  /// How often each pattern of its plan was executed here; empty without a plan.
  std::vector<std::uint64_t> executionsOfPatterns(const ExchangeKey &key) const;
  /// How many executions come before each of the next collective calls; empty: not known.
  std::vector<std::uint64_t> executionsBeforeCalls(const ExchangeKey &key) const;
  /// Seconds from the end of one to the end of the next; 0: not known.
  double secondsOf(const ExchangeKey &key) const;
  /// The exchange has routes from here on.
  void begin(std::uint64_t plan, LearnedExchange &exchange) { active[plan] = &exchange; }
  bool hasRoutes() const { return !active.empty() || !retired.empty(); }
  /// Stops the routes, and keeps them until nothing arrives by them any more.
  void retire(LearnedRoutes old);
  /// Messages waited too long on some rank: next time they may wait twice as long.
  void doubleWaitLimit() { waitLimit = std::min(2 * waitLimit, longestWait); }

  /// Something was learned, or decided.
  void noteNews() { newsAt = collectiveCalls; }
  /// Whether this rank has learned nothing for long, and shares nothing.
  bool hasNothingToDo() const;
  /// All ranks have met before a call on the communicator, and have nothing to do. If nothing of
  /// theirs is under way, they only watch from here on; returns whether they do.
  bool returnsToWatching(MPI_Comm communicator);

  // Executions.cpp. `frame` is the lowest address of the frame that holds the scope.
  void enter(sendwright_scope *scope, const char *function, const void *frame);
  /// The same for a loop of a plan for other numbers of ranks.
  void enter(sendwright_scope *scope, const PlannedSite &site, const void *frame);
  /// Ends the executions of scopes from the innermost on, down to `depth`.
  void leaveTo(int depth);
  void noteSend(const void *frame, exchange::SharedCommunicator &communicator,
                const exchange::Target &target, std::uint64_t bytes, bool routable) override;
  void noteSendWaited() override;
  void noteWait() override;
  void notePollInVain() override { ++pollsInVain; }
  Execution *sendingExecution();

  bool passesOn() const override { return exchangesThatShare > 0; }
  bool meetsNext() const override { return worldCalls.meetsNext(); }
  bool meet(MPI_Comm communicator) override;
  void lookAfter() override;
  void drop(exchange::SharedCommunicator &communicator) override;
  bool uses(const exchange::SharedCommunicator &communicator) const override;
  void end() override;

  exchange::MessageSharing &sharing;
  const Machine machine;
  int rank = 0, ranks = 0; ///< rank: in the world
  int exchangesThatShare = 0;
  const bool measures; ///< goes back where sharing takes longer
  MarkedScopes marks{};
  ScopesOfProfiledUnits ofProfiledUnits;
  ScopesOfPlannedUnits ofPlannedUnits;
  std::uint64_t collectiveCalls = 0; ///< blocking ones so far
  std::uint64_t pollsInVain = 0;     ///< while watching
  WorldCalls worldCalls{*this};
  /// Seconds that meetings before the collective calls so far would have taken while messages are
  /// shared: before one of 32 calls on the world once their numbers repeat, and before
  /// all others, where only their members meet.
  double expectedMeetings() const {
    const auto onWorld = static_cast<double>(worldCalls.begun());
    return onWorld / 32 * meetingSeconds(static_cast<std::size_t>(ranks), machine) + onOthers;
  }
  /// A blocking collective call is about to be made, on any communicator.
  void noteCollectiveCall(MPI_Comm communicator) {
    ++collectiveCalls;
    if (communicator != MPI_COMM_NULL && !hasAllRanks(communicator))
      onOthers += meetingSeconds(static_cast<std::size_t>(ranksIn(communicator)), machine);
  }

private:
  struct KnownSite;
  MarkedLoop &loopOf(sendwright_site &site, const char *function);
  MarkedLoop &loopOf(const PlannedSite &site);
  void enter(sendwright_scope *scope, MarkedLoop &loop, const char *function, const void *frame);
  LoopPatterns &patternsOf(MarkedLoop &loop, exchange::SharedCommunicator &communicator);
  void makeExchanges(const std::shared_ptr<LoopPatterns> &of);
  void finishExecution(Execution &execution);
  void finishExecution(const Execution &execution, LoopPatterns &of);
  void hearOfTurns(int source, const ControlMessage &message);
  bool isDrained();
  std::optional<int> leaderToCrossWith();
  struct Forecast; ///< Watching.cpp
  std::uint64_t callsFor(std::uint64_t executions, std::uint64_t soFar) const;
  Forecast forecast() const;
  void followAtCut(const ControlMessage &answer);
  void hearKept();
  void leaveSimulation();
  void hearMember(int source, const ControlMessage &message);
  static void hearFor(Leader &leader, int source, const ControlMessage &message);
  void hearFor(LearnedExchange &exchange, const ControlMessage &message);
  void answerWithoutExchange(int leader, const ControlMessage &plan);
  void combined(int source, std::uint64_t number, std::span<std::byte> message);

  const std::set<const sendwright_site *> deferrable;
  std::deque<MarkedLoop> loops;                                 ///< sites point to them forever
  std::unordered_map<const PlannedSite *, MarkedLoop *> ofPlan; ///< those of a plan
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::shared_ptr<LoopPatterns>>
      patterns; ///< by the digest of the loop and the index of the communicator
  std::map<ExchangeKey, std::unique_ptr<LearnedExchange>> exchanges;
  std::map<ExchangeKey, Leader> leaders;
  std::unordered_map<std::uint64_t, LearnedExchange *> active; ///< exchanges with routes, keyed by
                                                               ///< plan
  std::list<LearnedRoutes> retired;
  Execution executions[MarkedScopes::capacity];
  static constexpr double longestWait = 0.8;
  double waitLimit = 0.05; ///< seconds for which a message may wait
  unsigned turns = 0;
  std::uint64_t plans = 0;
  std::set<std::uint64_t> switched; ///< plans of this rank's leaders that all ranks have heard of
  std::uint64_t newsAt = 0;         ///< in `collectiveCalls`
  double onOthers = 0;              ///< of expectedMeetings(): before calls that not all ranks make
  WatchMeetings watchMeetings;
  int changes = 0; ///< from watching to carrying
  struct Kept {
    int source;
    std::uint64_t number;
    std::vector<std::byte> message;
  };
  std::vector<Kept> keptCombined; ///< of a plan that an answer will tell
  std::vector<ControlMessage> keptStops;
  bool finishing = false;
};

/// What this process has learned; null if nothing is learned in this run, and after MPI_Finalize.
inline Learning *learning() { return process.find<Learning>(); }

} // namespace sendwright::adaptation

#endif
