// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation between super epochs, made visible: the calls of MPI before which the plan has
// ranks wait for others, or tell them something.
//
// In any case, the runtime does what is due when such a call reaches MPI, even in code that the
// plugin never saw (runtime/synchronization/). The text written here shows where that is, and does
// it there.

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "tool/rewrite/UnitTransformation.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

/// What the plan for one number of ranks says about a call.
struct PlannedCall {
  int ranks = 0;
  SynchronizationKind kind = SynchronizationKind::None;
  CallActions actions;
};

std::vector<PlannedCall> plannedFor(const Plan &plan, const SiteIdentity &site) {
  std::vector<PlannedCall> found;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (const SynchronizedCall &call : rankCount.of<SynchronizationPlan>().calls)
      if (call.site.sameLoopAs(site))
        found.push_back({ranks, rankCount.of<SynchronizationPlan>().kind, call.actions});
  return found;
}

std::string describe(const PlannedCall &planned) {
  return "acts " + std::to_string(planned.actions.acts) +
         (planned.actions.acts == 1 ? " time" : " times") + ", on " +
         std::to_string(planned.actions.ranks) + " of " + std::to_string(planned.ranks) + " ranks";
}

void synchronize(Rewrite &rewrite, const CallSite &site, const std::vector<PlannedCall> &planned) {
  if (site.instances.empty() && site.obstacle.empty())
    return; // a template that this unit does not use
  if (!site.obstacle.empty())
    return rewrite.remarks.callNotApplied(site.location, site.obstacle);
  std::vector<std::string> comment;
  for (const PlannedCall &one : planned)
    comment.push_back(std::string(nameOf(one.kind)) + ": " + describe(one));
  const EmittedSite emitted{site.identity, false, false, {}, site.inTemplate, site.function};
  addBefore(rewrite, site, emitted, synchronizeBefore(emitted), std::move(comment));
  for (const PlannedCall &one : planned)
    rewrite.remarks.applied(site.location, "synchronises before this call ('" +
                                               std::string(nameOf(one.kind)) +
                                               "'): " + describe(one));
}

/// Calls of the plan that the unit's text no longer has, though their function is still there.
void explainChangedCalls(Rewrite &rewrite, const Plan &plan) {
  std::vector<const SiteIdentity *> explained;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (const SynchronizedCall &planned : rankCount.of<SynchronizationPlan>().calls) {
      const auto location = definitionAround(rewrite, planned.site);
      if (!location ||
          llvm::any_of(
              rewrite.sites.calls,
              [&](const CallSite &site) { return planned.site.sameLoopAs(site.identity); }) ||
          llvm::any_of(explained,
                       [&](const SiteIdentity *site) { return planned.site.sameLoopAs(*site); }))
        continue;
      rewrite.remarks.callNotApplied(
          *location, "the MPI call of line " + std::to_string(planned.site.line) + " in '" +
                         planned.site.function + "' changed since the profile");
      explained.push_back(&planned.site);
    }
}

/// Whether the plan synchronises runs for some number of ranks.
bool synchronizes(const Plan &plan) {
  return llvm::any_of(plan.rankCounts, [](const std::pair<const int, RankCountPlan> &rankCount) {
    return rankCount.second.of<SynchronizationPlan>().kind != SynchronizationKind::None;
  });
}

class UnitSynchronization final : public UnitTransformation {
public:
  bool needsCalls(const UnitRequest &request) const override {
    return request.plan && synchronizes(*request.plan);
  }
  /// Writes the call of the runtime in front of the calls that the plan names, with a remark of how
  /// often it will act; every function whose planned call is no longer there gets one, too.
  void rewrite(Rewrite &rewrite, const Plan &plan, Unit & /*unit*/) override {
    for (const CallSite &site : rewrite.sites.calls)
      if (const std::vector<PlannedCall> planned = plannedFor(plan, site.identity);
          !planned.empty())
        synchronize(rewrite, site, planned);
    explainChangedCalls(rewrite, plan);
  }
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitSynchronization() {
  return std::make_unique<UnitSynchronization>();
}

} // namespace sendwright
