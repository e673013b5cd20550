// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: loops of sends and receives that amount to a collective operation
// (tool/transformations/collectives/CollectivePatterns.h). A call in front of each of their parts
// carries out the operation by the plan's schedule; the parts stay, for runs that the plan does not
// cover.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVES_H

#include "analysis/plan/Plan.h"
#include "tool/rewrite/Rewrite.h"
#include "tool/transformations/collectives/CollectivePatterns.h"

#include <vector>

namespace sendwright {

/// Whether the plan replaces a loop, so that the unit's calls must be found.
bool holdsCollectives(const Plan &plan);

/// Writes the calls in front of the patterns that the plan wants replaced, with a remark at the
/// loop: the operation, its schedule and gain, or why the loop stays. Near misses get a remark at
/// level All. Returns whether any call was written.
bool replaceCollectives(Rewrite &rewrite, const std::vector<CollectivePattern> &patterns,
                        const Plan &plan);

} // namespace sendwright

#endif
