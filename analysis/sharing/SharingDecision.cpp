// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: which loops are complete exchanges, the routes for their messages, and why
// others go directly.

#include "analysis/file/FigureText.h"
#include "analysis/run/LoopExecutions.h"
#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/CollectiveMeetings.h"
#include "analysis/sharing/FoundTurns.h"
#include "analysis/sharing/PlannedExecutions.h"
#include "analysis/sharing/SharableExchanges.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/SharedRun.h"
#include "analysis/transformation/Transformation.h"

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

constexpr std::string_view sharingStem = "message-sharing";

/// The method that the user named.
SharingMethod namedMethod(const PlannerOptions &options) {
  return sharingMethodOf(options.sharingMethod).value_or(SharingMethod());
}

/// Why routes by a method that the user named are not taken. Whether they gain does not matter.
std::optional<SharingRefusal> whyNotByMethod(const SharingPrediction &sharing) {
  if (sharing.shared.stages < 2)
    return SharingRefusal{.obstacle = SharingObstacle::MethodSharesNothing};
  return {};
}

/// Nothing if sharing pays by its own model. `otherGain`: seconds gained instead, 0 if nothing else
/// is done. `overlapLost`: computation between the sends. `furtherSeconds`: see
/// furtherLinkSeconds().
std::optional<SharingRefusal> whyNotShared(const SharingPrediction &sharing, double otherGain,
                                           double overlapLost, double furtherSeconds,
                                           double thresholdPercent) {
  const auto refused = [&](SharingObstacle obstacle, double limit = 0) {
    return SharingRefusal{.obstacle = obstacle, .prediction = sharing, .limit = limit};
  };
  const double gain = sharing.gain();
  if (sharing.shared.stages < 2)
    return refused(SharingObstacle::NoFasterRoutes);
  if (gain <= 0)
    return refused(SharingObstacle::CollectivesLoseMore);
  if (sharing.gainPercent() < thresholdPercent)
    return refused(SharingObstacle::BelowThreshold, thresholdPercent);
  if (furtherSeconds > sharing.routesGain())
    return refused(SharingObstacle::FullerLinks, furtherSeconds);
  if (overlapLost > gain)
    return refused(SharingObstacle::OverlapLost, overlapLost);
  if (otherGain >= gain)
    return refused(SharingObstacle::AnotherOrderGainsMore, otherGain);
  return {};
}

std::string whyShared(const SharingPrediction &sharing, bool cut) {
  return "messages travel through other ranks: " + sharing.method + ", " +
         std::to_string(sharing.shared.maxLoad) +
         " messages sent and received at the busiest rank instead of " +
         std::to_string(sharing.direct.maxLoad) + " (predicted " + timeText(sharing.seconds) +
         " instead of " + timeText(sharing.directSeconds) + ")" +
         (cut ? "; from the first part of the run" : "");
}

/// The exchange and all ranks' parts of it; site and number are filled in for each plan.
struct Routes {
  SharedExchange exchange;
  std::vector<RankExchange> parts; // by rank
};

/// What a plan has for one loop.
struct LoopRoutes {
  std::vector<Routes> routes;
  std::map<int, ExchangeTurns> turns; ///< by rank, with indices of `routes`; or empty
};

void addRoutes(RankCountPlan &plan, std::uint32_t site, const Routes &routes) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  const auto number = static_cast<std::uint32_t>(shared.exchanges.size());
  shared.exchanges.push_back(routes.exchange);
  shared.exchanges.back().site = site;
  shared.rankExchanges.resize(routes.parts.size());
  for (std::size_t rank = 0; rank < routes.parts.size(); ++rank)
    if (!routes.parts[rank].messages.empty()) {
      shared.rankExchanges[rank].push_back(routes.parts[rank]);
      shared.rankExchanges[rank].back().exchange = number;
    }
}

/// Adds `offset` to all turns of exchanges.
ExchangeTurns shifted(ExchangeTurns turns, std::uint32_t offset) {
  for (std::vector<std::uint32_t> *list : {&turns.first, &turns.cycle})
    for (std::uint32_t &turn : *list)
      turn += turn == ExchangeTurns::nothing ? 0 : offset;
  return turns;
}

void addLoop(RankCountPlan &plan, std::uint32_t site, const LoopRoutes &loop) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  const auto offset = static_cast<std::uint32_t>(shared.exchanges.size());
  for (const Routes &routes : loop.routes)
    addRoutes(plan, site, routes);
  if (loop.turns.empty())
    return;
  LoopTurns turns;
  turns.site = site;
  turns.ofRanks.resize(shared.rankExchanges.size(), ExchangeTurns::nothing);
  for (const auto &[rank, own] : loop.turns)
    turns.set(static_cast<std::size_t>(rank), shifted(own, offset));
  shared.turns.insert(std::ranges::upper_bound(shared.turns, site, {}, &LoopTurns::site),
                      std::move(turns));
}

/// How the messages of a loop would travel. Patterns by turns have routes of their own.
struct LoopDecision {
  std::vector<ChosenRoutes> routes;   ///< one, or one for each pattern
  std::vector<bool> isShared;         ///< likewise
  std::map<int, ExchangeTurns> turns; ///< by rank, with indices of `routes`; or empty
  SharingPrediction prediction;
  bool isFaster() const {
    return std::ranges::any_of(routes,
                               [](const ChosenRoutes &one) { return one.table.stages >= 2; });
  }
};

double meanBytes(const std::vector<ExchangedMessage> &messages, std::uint64_t instances) {
  double bytes = 0;
  for (const ExchangedMessage &message : messages)
    bytes += message.bytes * static_cast<double>(message.instances);
  return instances > 0 ? bytes / static_cast<double>(instances) : 0;
}

/// Seconds that the link of an average rank needs in an instance for the bytes that the routes add.
/// Routes must gain more: model and replay know less of links the fuller these are.
double furtherLinkSeconds(const SharableExchange &exchange, const LoopDecision &decision,
                          const Machine &machine) {
  double bytes = 0;
  if (decision.turns.empty()) {
    bytes = (decision.prediction.shared.volumeFactor - 1) *
            meanBytes(exchange.messages, exchange.instances);
  } else {
    double instances = 0;
    for (std::size_t turn = 0; turn < decision.routes.size(); ++turn) {
      const AlternatingPattern &pattern = exchange.patterns[turn];
      const auto own = static_cast<double>(pattern.instances);
      instances += own;
      if (decision.isShared[turn])
        bytes += own * (decision.routes[turn].prediction.shared.volumeFactor - 1) *
                 meanBytes(pattern.messages, pattern.instances);
    }
    bytes /= std::max(instances, 1.0);
  }
  return bytes * machine.between.G / static_cast<double>(exchange.communicator.members.size());
}

class SharingDecision final : public Transformation {
public:
  std::string_view stem() const override { return sharingStem; }

  void study(StudiedRun &studied) override { run = &studied; }

  /// Proposes to send the site's messages through other ranks.
  void propose(SiteDraft &draft) override {
    if (!run->options.uses(sharingStem))
      return;
    findExchanges();
    const auto finding = exchanges.find(draft.site);
    if (finding == exchanges.end())
      return;
    SiteSharing &sharing = draft.plan.of<SiteSharing>();
    if (const std::optional<SharingRefusal> &refusal = finding->second.refusal) {
      sharing.refusal = RefusalText(*refusal);
      return;
    }
    const bool isNamed = namedMethod(run->options).kind != SharingMethod::Kind::Fastest;
    if (const std::optional<SharingRefusal> &polls = finding->second.polls; polls && !isNamed) {
      sharing.refusal = RefusalText(*polls);
      return;
    }
    SharableExchange &exchange = finding->second.exchange;
    if (run->options.assumed && exchange.patterns.size() > 1) {
      sharing.refusal = RefusalText(SharingRefusal{.obstacle = SharingObstacle::TurnsWithoutMachine,
                                                   .count = exchange.patterns.size()});
      return;
    }
    std::vector<LoopDecision> decisions = decide(exchange);
    const double lost = lostAtCollectives(exchange, decisions.front(), draft.site, draft.plan);
    for (LoopDecision &decision : decisions)
      decision.prediction.collectiveSeconds = lost;
    const SharingPrediction &prediction = decisions.front().prediction;
    sharing.prediction = prediction;
    const auto furtherSeconds = [&](const LoopDecision &decision) {
      return furtherLinkSeconds(exchange, decision, run->options.machine);
    };
    if (const std::optional<SharingRefusal> refusal =
            isNamed ? whyNotByMethod(prediction)
                    : whyNotShared(prediction, draft.takenGain(), draft.overlapLost,
                                   furtherSeconds(decisions.front()), run->ownThreshold()))
      sharing.refusal = RefusalText(*refusal);
    else
      draft.taken = draft.candidates.size();
    if (!run->isChosenByReplay())
      decisions.resize(1);
    for (const LoopDecision &decision : decisions)
      if (decision.isFaster() &&
          (isNamed || !(furtherSeconds(decision) > decision.prediction.routesGain())))
        draft.candidates.push_back(candidateOf(exchange, decision));
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return sharedRun(simulated);
  }

  /// Adds what the run did between its collective calls.
  void finish(RankCountPlan &plan) override {
    SharedExchanges &shared = plan.of<SharedExchanges>();
    if (shared.exchanges.empty())
      return;
    std::map<int, std::uint32_t> planned;
    for (const SharedExchange &exchange : shared.exchanges)
      for (std::size_t site = 0; site < run->profile.sites.size(); ++site)
        if (run->profile.sites[site].sameAs(plan.sites[exchange.site].site))
          planned[static_cast<int>(site)] = exchange.site;
    const PlannedExecutions executions(run->timeline, run->loops, shared, planned);
    const CommunicatorNumbers &communicators = run->timeline.communicators;
    const auto isServed = [&](std::size_t rank, const Event &call) {
      return run->isServed &&
             run->isServed(call.function, communicators[communicators.of(rank, call.communicator)]);
    };
    shared.steps = CollectiveMeetings(run->timeline, executions.instances(), isServed).steps();
  }

  void explainMissed(SitePlan &plan, const std::optional<RefusalText> &refusal) const override {
    plan.of<SiteSharing>().refusal = refusal;
  }
  std::optional<RefusalText> missedReason(const SitePlan &plan) const override {
    return plan.of<SiteSharing>().refusal;
  }

private:
  /// Waits until all transformations have studied the run, because their meetings count.
  void findExchanges() {
    if (known)
      return;
    known = true;
    for (ExchangeFinding &finding :
         findSharableExchanges(run->profile, run->timeline, run->loops, run->meetings))
      exchanges[finding.site] = std::move(finding);
  }

  /// Patterns by turns have routes of their own if each rank knows whose turn it is: all that gain,
  /// or else all, be it directly. Otherwise all their routes are used in every execution. Behind
  /// the decision by the model stand others that may turn out faster when the whole run is
  /// replayed.
  std::vector<LoopDecision> decide(SharableExchange &exchange) const {
    const int ranks = static_cast<int>(run->profile.ranks.size());
    const Machine &machine = run->options.machine;
    const SearchEffort effort =
        run->isChosenByReplay() ? SearchEffort::Thorough : SearchEffort::Usual;
    const SharingMethod method = namedMethod(run->options);
    if (!exchange.patterns.empty()) {
      LoopDecision decision;
      decision.routes = chooseRoutesByTurns(exchange, ranks, machine, effort, method);
      for (const ChosenRoutes &one : decision.routes)
        decision.isShared.push_back(one.table.stages >= 2);
      auto turns = findTurns(exchange, decision.isShared);
      if (!turns) {
        decision.isShared.assign(decision.routes.size(), true);
        turns = findTurns(exchange, decision.isShared);
      }
      if (turns) {
        decision.turns = std::move(*turns);
        decision.prediction = predictionByTurns(exchange, decision.routes, decision.isShared);
        return {decision};
      }
      if (exchange.patterns.size() == 1)
        exchange.patterns.clear();
    }
    std::vector<LoopDecision> decisions;
    for (ChosenRoutes &routes : promisingRoutes(exchange, ranks, machine, effort, method)) {
      LoopDecision &decision = decisions.emplace_back();
      decision.prediction = routes.prediction;
      decision.routes = {std::move(routes)};
      decision.isShared = {true};
    }
    return decisions;
  }

  /// The instances of each exchange at one rank.
  std::vector<CollectiveMeetings::Instances>
  instancesOf(const SharableExchange &exchange, const LoopDecision &decision, int site) const {
    std::vector<CollectiveMeetings::Instances> instances;
    for (std::size_t turn = 0; turn < exchange.patterns.size() && !decision.turns.empty(); ++turn) {
      if (!decision.isShared[turn])
        continue;
      const AlternatingPattern &pattern = exchange.patterns[turn];
      const int rank = pattern.messages.front().source;
      CollectiveMeetings::Instances &known = instances.emplace_back();
      known.rank = static_cast<std::size_t>(rank);
      for (const LoopExecutionOfRank &execution : exchange.executions.at(rank))
        if (std::ranges::binary_search(pattern.members, execution.instance))
          known.ends.push_back(execution.end);
    }
    for (std::size_t rank = 0; rank < run->loops.ranks.size() && instances.empty(); ++rank) {
      const auto executions = loopExecutions(run->timeline.ranks[rank], run->loops.ranks[rank]);
      const auto list = executions.find(site);
      if (list == executions.end())
        continue;
      CollectiveMeetings::Instances &known = instances.emplace_back();
      known.rank = rank;
      for (const LoopExecution &execution : list->second)
        known.ends.push_back(execution.end);
    }
    return instances;
  }

  /// Seconds lost for one instance (SharedExchanges.h says why).
  double lostAtCollectives(const SharableExchange &exchange, const LoopDecision &decision, int site,
                           const SitePlan &plan) const {
    const auto members = static_cast<double>(exchange.communicator.members.size());
    const double executions = std::max(static_cast<double>(plan.executions) / members,
                                       static_cast<double>(exchange.instances));
    const CollectiveMeetings meetings(run->timeline, instancesOf(exchange, decision, site));
    return static_cast<double>(run->collectives) / executions * meetings.share() *
           meetingSeconds(exchange.communicator.members.size(), run->options.machine);
  }

  static Routes routesOf(const SharableExchange &exchange, const ChosenRoutes &chosen) {
    return {{0, exchange.communicator, chosen.prediction.method,
             static_cast<std::uint32_t>(chosen.table.stages), chosen.pattern.messages.size(),
             exchange.anySource},
            partsOfRanks(0, chosen.pattern, chosen.tags, chosen.table)};
  }

  Candidate candidateOf(const SharableExchange &exchange, const LoopDecision &decision) const {
    const SharingPrediction &prediction = decision.prediction;
    auto loop = std::make_shared<LoopRoutes>();
    std::map<std::uint32_t, std::uint32_t> numbers{
        {ExchangeTurns::nothing, ExchangeTurns::nothing}};
    for (std::uint32_t index = 0; index < decision.routes.size(); ++index)
      if (decision.isShared[index]) {
        numbers[index] = static_cast<std::uint32_t>(loop->routes.size());
        loop->routes.push_back(routesOf(exchange, decision.routes[index]));
      }
    loop->turns = decision.turns;
    for (auto &[rank, turns] : loop->turns)
      for (std::vector<std::uint32_t> *list : {&turns.first, &turns.cycle})
        for (std::uint32_t &turn : *list)
          turn = numbers.at(turn);
    Candidate candidate;
    candidate.stem = sharingStem;
    candidate.name = "sharing";
    candidate.means = "sharing";
    candidate.gain = prediction.gain();
    candidate.gainPercent = prediction.gainPercent();
    candidate.reason = whyShared(prediction, run->timeline.cut);
    candidate.addTo = [loop](RankCountPlan &plan, std::uint32_t site) {
      addLoop(plan, site, *loop);
    };
    candidate.show = [prediction](SitePlan &plan) {
      plan.of<SiteSharing>().prediction = prediction;
    };
    return candidate;
  }

  const StudiedRun *run = nullptr;
  bool known = false;
  std::map<int, ExchangeFinding> exchanges; // by site
};

} // namespace

std::unique_ptr<Transformation> makeMessageSharing() { return std::make_unique<SharingDecision>(); }

} // namespace sendwright
