// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: a send loop whose messages leave in the order of the plan. The batch around the
// loop (PlannedLoops.h) holds its sends back and issues them in planned order at the end; here is
// what is said of it.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_ORDERING_MESSAGEORDERING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_ORDERING_MESSAGEORDERING_H

#include "tool/unit/PlannedLoops.h"

#include <string>
#include <vector>

namespace sendwright {

/// What the remark of a reordered loop says, without the site.
std::string describeOrdering(const SitePlan &site);

/// Adds to the comment above the loop: the phases that it opens and the order of some ranks.
void explainOrdering(const PlannedLoop &planned, std::vector<std::string> &lines);

} // namespace sendwright

#endif
