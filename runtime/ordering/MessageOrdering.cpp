// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering at run time: the batch issues what a loop has sent in the plan's order.

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"

#include <algorithm>
#include <vector>

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

/// What follows a rank's sends is known for the plan's number of ranks only, and with it the order
/// by key. But ports are the same in each run: large messages keep out of one another's way if no
/// two ranks turn to the same receiver first.
std::optional<IssueOrders> ordersOfOtherRuns(const SitePlan &site, int rank, int ranks) {
  const std::vector<OrderingFigures> &figures = site.of<SiteOrdering>().figures;
  const auto isStaggered = [](const OrderingFigures &one) { return one.key == staggeredKey; };
  if (figures.empty() || !std::ranges::all_of(figures, isStaggered))
    return std::nullopt;
  return IssueOrders::fromNextRank(rank, ranks, figures.front().window);
}

} // namespace

extern const RunTransformation runTransformationMessageOrdering;
const RunTransformation runTransformationMessageOrdering = {.stem = "message-ordering",
                                                            .addSites = addSites,
                                                            .ordersOfOtherRuns = ordersOfOtherRuns,
                                                            .takeTurns = takeTurns};

} // namespace sendwright
