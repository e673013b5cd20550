// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse order: what is said of a loop in the remark and in the rewritten source.

#include "test/transformations/reverse-order/ReversedLoops.h"
#include "tool/rewrite/LoopTransformation.h"

namespace sendwright {

namespace {

std::string describeReversed(const SitePlan &site) { return gainOf(site); }

void explainReversed(const PlannedLoop &planned, std::vector<std::string> &lines) {
  lines.push_back(planned.site().reason);
}

} // namespace

extern const LoopTransformation loopTransformationReverseOrder;
const LoopTransformation loopTransformationReverseOrder = {.stem = reverseOrderStem,
                                                           .done = "reversed",
                                                           .describe = describeReversed,
                                                           .explain = explainReversed};

} // namespace sendwright
