// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering at run time: the batch issues what a loop has sent in the plan's order.

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "runtime/batch/RunTransformation.h"

namespace sendwright {

namespace {

void addSites(const RankCountPlan &own, const AddPlannedSite &add) {
  for (const RankSite &site : ownEntry(own.of<PlannedOrders>().ranks))
    if (!site.orders.empty())
      add(site.site, IssueOrders(site.orders));
}

} // namespace

extern const RunTransformation runTransformationMessageOrdering;
const RunTransformation runTransformationMessageOrdering = {.stem = "message-ordering",
                                                            .addSites = addSites};

} // namespace sendwright
