// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion at run time: at the plan's sites, blocking sends leave from copies.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/plan/Plan.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"
#include "runtime/completion/EarlySends.h"

namespace sendwright {

namespace {

void addEarlySites(const RankCountPlan &own, const AddPlannedSite &add) {
  const EarlyCompletions &early = own.of<EarlyCompletions>();
  for (const std::uint32_t site : early.sites)
    add(site, IssueOrders())->sender = &earlySends(early.least, early.most);
}

void takeEarlyTurns(const sendwright_unit &unit, const RankCountPlan &own,
                    const MakeSiteTurns &make) {
  for (const std::uint32_t site : own.of<EarlyCompletions>().sites)
    plannedSiteOf(unit, site).turns = make(site, TurnsEnd::AfterExecutions);
}

} // namespace

extern const RunTransformation runTransformationEarlyCompletion;
const RunTransformation runTransformationEarlyCompletion = {
    .stem = "early-completion", .addSites = addEarlySites, .takeTurns = takeEarlyTurns};

} // namespace sendwright
