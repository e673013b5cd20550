// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering at run time: the batch issues what a loop has sent in the plan's order.

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"

namespace sendwright {

namespace {

void addSites(const RankCountPlan &own, const AddPlannedSite &add) {
  for (const RankSite &site : ownEntry(own.of<PlannedOrders>().ranks))
    if (!site.orders.empty())
      add(site.site, IssueOrders(site.orders));
}

void takeTurns(const sendwright_unit &unit, const RankCountPlan &own, const MakeSiteTurns &make) {
  for (const RankSite &site : ownEntry(own.of<PlannedOrders>().ranks))
    if (!site.orders.empty())
      plannedSiteOf(unit, site.site).turns = make(site.site, TurnsEnd::AfterExecutions);
}

} // namespace

extern const RunTransformation runTransformationMessageOrdering;
const RunTransformation runTransformationMessageOrdering = {
    .stem = "message-ordering", .addSites = addSites, .takeTurns = takeTurns};

} // namespace sendwright
