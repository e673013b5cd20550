// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: which loops are complete exchanges, the routes for their messages, and why
// others go directly.

#include "analysis/file/FigureText.h"
#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/CollectiveMeetings.h"
#include "analysis/sharing/SharableExchanges.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/SharedRun.h"
#include "analysis/transformation/Transformation.h"

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

constexpr std::string_view sharingStem = "message-sharing";

/// Nothing if sharing pays by its own model. `otherGain`: seconds gained instead, 0 if nothing else
/// is done. `overlapLost`: computation between the sends.
std::optional<SharingRefusal> whyNotShared(const SharingPrediction &sharing, double otherGain,
                                           double overlapLost, double thresholdPercent) {
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
      sharing.refusal = textOf(*refusal);
      return;
    }
    const SharableExchange &exchange = finding->second.exchange;
    // All its routes are used in every execution, whichever pattern it has.
    if (run->options.assumed && !exchange.patterns.empty()) {
      sharing.refusal = textOf(SharingRefusal{.obstacle = SharingObstacle::TurnsWithoutMachine,
                                              .count = exchange.patterns.size()});
      return;
    }
    std::vector<ChosenRoutes> promising =
        promisingRoutes(exchange, static_cast<int>(run->profile.ranks.size()), run->options.machine,
                        run->isChosenByReplay() ? SearchEffort::Thorough : SearchEffort::Usual);
    const double lost = lostAtCollectives(exchange, draft.site, draft.plan);
    for (ChosenRoutes &routes : promising)
      routes.prediction.collectiveSeconds = lost;
    const SharingPrediction &prediction = promising.front().prediction;
    sharing.prediction = prediction;
    if (const std::optional<SharingRefusal> refusal =
            whyNotShared(prediction, draft.takenGain(), draft.overlapLost, run->ownThreshold()))
      sharing.refusal = textOf(*refusal);
    else
      draft.taken = draft.candidates.size();
    if (!run->isChosenByReplay())
      promising.resize(1);
    for (const ChosenRoutes &routes : promising)
      if (routes.table.stages >= 2)
        draft.candidates.push_back(candidateOf(exchange, routes));
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return sharedRun(simulated);
  }

  void explainMissed(SitePlan &plan, const std::optional<std::string> &reason) const override {
    plan.of<SiteSharing>().refusal = reason;
  }
  std::optional<std::string> missedReason(const SitePlan &plan) const override {
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

  /// Seconds lost for one instance (SharedExchanges.h says why).
  double lostAtCollectives(const SharableExchange &exchange, int site, const SitePlan &plan) const {
    const auto members = static_cast<double>(exchange.communicator.members.size());
    const double executions = std::max(static_cast<double>(plan.executions) / members,
                                       static_cast<double>(exchange.instances));
    const CollectiveMeetings meetings(run->timeline, run->loops, {site});
    return static_cast<double>(run->collectives) / executions * meetings.share() *
           meetingSeconds(exchange.communicator.members.size(), run->options.machine);
  }

  Candidate candidateOf(const SharableExchange &exchange, const ChosenRoutes &decision) const {
    auto routes = std::make_shared<Routes>();
    routes->exchange = {0,
                        exchange.communicator,
                        decision.prediction.method,
                        static_cast<std::uint32_t>(decision.table.stages),
                        decision.pattern.messages.size(),
                        exchange.anySource};
    routes->parts = partsOfRanks(0, decision.pattern, decision.tags, decision.table);
    Candidate candidate;
    candidate.stem = sharingStem;
    candidate.name = "sharing";
    candidate.means = "sharing";
    candidate.gain = decision.prediction.gain();
    candidate.gainPercent = decision.prediction.gainPercent();
    candidate.reason = whyShared(decision.prediction, run->timeline.cut);
    candidate.addTo = [routes](RankCountPlan &plan, std::uint32_t site) {
      addRoutes(plan, site, *routes);
    };
    candidate.show = [prediction = decision.prediction](SitePlan &plan) {
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
