// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/SynchronizationPlanner.h"

#include "analysis/epochs/StepPlanning.h"

namespace sendwright {

namespace {

void leaveLoops(ProfilePlan &plan) {
  for (std::size_t index = 0; index < plan.plan.sites.size(); ++index) {
    SitePlan &site = plan.plan.sites[index];
    if (site.decision != Decision::Rewrite)
      continue;
    site.decision = Decision::Leave;
    site.transformation.clear();
    site.reason = "the program is synchronised for few message buffers, which suffice for the "
                  "order as written";
    plan.reasons[index] = LeaveReason::Synchronized;
  }
  for (std::vector<RankSite> &rank : plan.plan.ranks)
    rank.clear();
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
  SynchronizationPlan &result = plan.plan.synchronization;
  result.kind = kind;
  result.buffers = analysis.buffers;
  result.superEpochs = analysis.superEpochs.count;
  result.synchronizations = countOf(analysis.superEpochs, kind);
  result.wildcardReceives = analysis.graph.wildcardReceives;
  result.ranks = planSteps(profile, analysis, kind);
  if (kind != SynchronizationKind::None)
    leaveLoops(plan);
}

} // namespace sendwright
