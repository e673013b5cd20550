// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse order at run time: the batch issues what a loop has sent from its last message to its
// first; messages to one rank keep their order.

#include "analysis/plan/Plan.h"
#include "runtime/batch/RunTransformation.h"
#include "test/transformations/reverse-order/ReversedLoops.h"

namespace sendwright {

namespace {

void addReversed(const RankCountPlan &own, const AddPlannedSite &add) {
  for (const ReversedLoop &loop : ownEntry(own.of<ReversedLoops>().ranks)) {
    SendOrder order;
    order.destinations.assign(loop.destinations.rbegin(), loop.destinations.rend());
    add(loop.site, IssueOrders({order}));
  }
}

} // namespace

extern const RunTransformation runTransformationReverseOrder;
const RunTransformation runTransformationReverseOrder = {.stem = "reverse-order",
                                                         .addSites = addReversed};

} // namespace sendwright
