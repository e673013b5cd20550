// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: loops of sends and receives that are a collective operation in disguise
// (tool/transformations/collectives/CollectivePatterns.h) get a call in front of each of their
// pieces, which does the operation by the plan's schedule; the pieces stay, for runs of which the
// plan knows nothing.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_COLLECTIVES_H

#include "analysis/plan/Plan.h"
#include "tool/rewrite/Rewrite.h"
#include "tool/transformations/collectives/CollectivePatterns.h"

#include <vector>

namespace sendwright {

/// Whether the plan replaces a loop, and so wants the unit's calls to be found.
bool holdsCollectives(const Plan &plan);

/// Writes the calls in front of the patterns that the plan wants replaced, with a remark at the
/// loop: the operation, its schedule and what it gains, or why it stays. Near misses get a remark
/// at level All. Returns whether any call was written.
bool replaceCollectives(Rewrite &rewrite, const std::vector<CollectivePattern> &patterns,
                        const Plan &plan);

} // namespace sendwright

#endif
