// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: which loops are collective operations, the schedules for them, and why others run as
// written.

#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/ConfirmedCollectives.h"
#include "analysis/collectives/ScheduledRun.h"
#include "analysis/file/FigureText.h"
#include "analysis/program/TemplateLoops.h"
#include "analysis/transformation/Transformation.h"

#include <map>

namespace sendwright {

namespace {

constexpr std::string_view collectivesStem = "collectives";

/// Nothing if a schedule pays by its own model. `otherGain`: seconds gained instead, 0 if nothing
/// else is done.
std::optional<CollectiveRefusal> whyNotCollective(const CollectivePrediction &collective,
                                                  double otherGain, double thresholdPercent) {
  const auto refused = [&](CollectiveObstacle obstacle, double limit = 0) {
    return CollectiveRefusal{.obstacle = obstacle, .prediction = collective, .limit = limit};
  };
  if (collective.gain() <= 0)
    return refused(CollectiveObstacle::NoFasterSchedule);
  if (collective.gainPercent() < thresholdPercent)
    return refused(CollectiveObstacle::BelowThreshold, thresholdPercent);
  if (otherGain >= collective.gain())
    return refused(CollectiveObstacle::AnotherGainsMore, otherGain);
  return {};
}

std::string whyCollective(const CollectivePrediction &collective, bool cut) {
  return "the loop is " + withArticle(collective.operation) + " among " +
         std::to_string(collective.ranks) + " ranks: by " + collective.algorithm + " (predicted " +
         timeText(collective.seconds) + " instead of " + timeText(collective.writtenSeconds) + ")" +
         (cut ? "; from the first part of the run" : "");
}

class CollectiveDecision final : public Transformation {
public:
  std::string_view stem() const override { return collectivesStem; }

  std::vector<SiteIdentity> sitesAsOne(const Profile &profile, const ProgramSummary &program,
                                       const PlannerOptions &options) const override {
    if (!options.uses(collectivesStem))
      return {};
    return collectivesOfSeveralInstantiations(profile, program.collectives);
  }

  /// Finds loops that are collective operations, or nearly, and their schedules.
  void study(StudiedRun &studied) override {
    run = &studied;
    if (!studied.options.uses(collectivesStem))
      return;
    for (CollectiveFinding &finding : confirmCollectives(
             studied.profile, studied.timeline, studied.loops, studied.program.collectives)) {
      if (!finding.refusal)
        decide(finding, studied);
      operations[finding.site] = std::move(finding);
    }
  }

  bool concerns(int site) const override { return operations.contains(site); }

  /// Proposes a schedule for the loop.
  void propose(SiteDraft &draft) override {
    const auto finding = operations.find(draft.site);
    if (finding == operations.end())
      return;
    SiteCollective &collective = draft.plan.of<SiteCollective>();
    if (const std::optional<CollectiveRefusal> &refusal = finding->second.refusal) {
      collective.refusal = RefusalText(*refusal);
      return;
    }
    const std::shared_ptr<const ChosenSchedule> &decision = decisions.at(draft.site);
    collective.prediction = decision->prediction;
    const std::optional<CollectiveRefusal> refusal =
        whyNotCollective(decision->prediction, draft.takenGain(), run->ownThreshold());
    if (refusal)
      collective.refusal = RefusalText(*refusal);
    if (decision->parts.empty())
      return;
    if (!refusal)
      draft.taken = draft.candidates.size();
    draft.candidates.push_back(candidateOf(decision));
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return scheduledRun(simulated);
  }

  void explainMissed(SitePlan &plan, const std::optional<RefusalText> &refusal) const override {
    plan.of<SiteCollective>().refusal = refusal;
  }
  std::optional<RefusalText> missedReason(const SitePlan &plan) const override {
    return plan.of<SiteCollective>().refusal;
  }

private:
  void decide(const CollectiveFinding &finding, StudiedRun &studied) {
    auto decision = std::make_shared<const ChosenSchedule>(
        chooseSchedule(finding, studied.options.machine, studied.isChosenByReplay()));
    if (!decision->parts.empty())
      for (const LoopInstance &instance : finding.instances)
        studied.meetings.push_back({noSite, instance.entries, true});
    decisions[finding.site] = std::move(decision);
  }

  Candidate candidateOf(const std::shared_ptr<const ChosenSchedule> &decision) const {
    const CollectivePrediction &prediction = decision->prediction;
    Candidate candidate;
    candidate.stem = collectivesStem;
    candidate.name = "schedule";
    candidate.nameChosen = "schedule: " + std::string(nameOf(prediction.operation));
    candidate.means = "a schedule";
    candidate.gain = prediction.gain();
    candidate.gainPercent = prediction.gainPercent();
    candidate.reason = whyCollective(prediction, run->timeline.cut);
    candidate.addTo = [decision, ranks = run->profile.ranks.size()](RankCountPlan &plan,
                                                                    std::uint32_t site) {
      addCollective(plan.of<PlannedCollectives>(), ranks, site, decision->collective,
                    decision->parts);
    };
    return candidate;
  }

  const StudiedRun *run = nullptr;
  std::map<int, CollectiveFinding> operations;                    // by site
  std::map<int, std::shared_ptr<const ChosenSchedule>> decisions; // only for collective operations
};

} // namespace

std::unique_ptr<Transformation> makeCollectives() { return std::make_unique<CollectiveDecision>(); }

} // namespace sendwright
