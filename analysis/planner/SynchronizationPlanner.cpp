// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/SynchronizationPlanner.h"

#include "analysis/epochs/steps/StepPlanning.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/planner/RunReasons.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

void leaveLoops(ProfilePlan &plan) {
  for (std::size_t index = 0; index < plan.plan.sites.size(); ++index) {
    SitePlan &site = plan.plan.sites[index];
    if (site.decision != Decision::Rewrite)
      continue;
    site.decision = Decision::Leave;
    site.transformation.clear();
    const SiteRefusal refusal{.obstacle = SiteObstacle::Synchronized};
    site.reason = textOf(refusal);
    plan.reasons[index] = leaveReasonOf(refusal);
  }
  for (const PlanSections *content : knownSections())
    content->leaveSites(plan.plan);
}

bool isMatchedProbe(const Event &event) {
  return event.kind == EventKind::Call && event.peer == anySource &&
         mpiFunction(event.function).message >= 0;
}

/// If a probe matches another message than in the profile, ranks may wait for one another in a
/// circle. A run must notice this before it does anything else, which it can only when it receives
/// the message.
void refuseUnwatchable(const Profile &profile, const std::string &name) {
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const RankProfile &run = profile.ranks[rank];
    if (std::ranges::none_of(run.events, isMatchedProbe))
      continue;
    const Event *probe = nullptr;
    run.sequence.forEach([&](std::uint32_t number) {
      const Event &event = run.events[number];
      const bool receives = mpiFunction(event.function).role == MpiRole::MatchedReceive;
      if (probe && (isMatchedProbe(event) || (stepOf(event) && !receives)))
        throw FormatError(name + ": rank " + std::to_string(rank) + ", " +
                          std::string(mpiFunction(probe->function).name) + " at " +
                          callPlace(profile, run, *probe) +
                          ": matches a message from any source that is not received next, "
                          "expected its receive next in a synchronised program");
      if (isMatchedProbe(event))
        probe = &event;
      else if (receives)
        probe = nullptr;
      return true;
    });
  }
}

bool comesBefore(const SynchronizedCall &first, const SynchronizedCall &second) {
  return std::tie(first.site.file, first.site.line, first.site.function, first.site.hash,
                  first.site.ordinal) < std::tie(second.site.file, second.site.line,
                                                 second.site.function, second.site.hash,
                                                 second.site.ordinal);
}

std::uint64_t countOf(const SuperEpochs &superEpochs, SynchronizationKind kind) {
  switch (kind) {
  case SynchronizationKind::None:
    return 0;
  case SynchronizationKind::Full:
    return superEpochs.full;
  case SynchronizationKind::Partial:
    return superEpochs.partial;
  case SynchronizationKind::Component:
    return superEpochs.component;
  }
  return 0;
}

} // namespace

void planSynchronization(ProfilePlan &plan, const Profile &profile, const EpochAnalysis &analysis,
                         SynchronizationKind kind) {
  if (kind != SynchronizationKind::None)
    refuseUnwatchable(profile, plan.plan.profile);
  SynchronizationPlan &result = plan.plan.of<SynchronizationPlan>();
  result.kind = kind;
  result.buffers = analysis.buffers;
  result.superEpochs = analysis.superEpochs.count;
  result.synchronizations = countOf(analysis.superEpochs, kind);
  result.wildcardReceives = analysis.graph.wildcardReceives;
  PlannedSteps steps = planSteps(profile, analysis, kind);
  result.ranks = std::move(steps.ranks);
  for (const auto &[call, actions] : steps.calls.marked)
    result.calls.push_back({profile.callSites[static_cast<std::size_t>(call)], actions});
  std::sort(result.calls.begin(), result.calls.end(), comesBefore);
  result.actsUnmarked = steps.calls.unmarked;
  result.actsAtEnd = steps.calls.atEnd;
  if (kind != SynchronizationKind::None)
    leaveLoops(plan);
}

} // namespace sendwright
