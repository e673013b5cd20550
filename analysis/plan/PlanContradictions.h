// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks' parts of a plan fit together. Reading a section only shows that its indices
// exist: a send may have no receive, a block may arrive twice, ranks may wait for one another in a
// circle. Code that sees the parts of all ranks checks these relations before anybody follows the
// plan, so that a plan that somebody changed cannot change a result.
//
// Each transformation finds the contradictions in its own parts (PlanSections.h).

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANCONTRADICTIONS_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANCONTRADICTIONS_H

#include "analysis/plan/Plan.h"
#include "analysis/transformation/PlanSections.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The first contradiction in the plan for `rankCount` ranks: "collective 0 at loop.c:12: rank 3
/// receives slot 2 from rank 1, which does not send it"; nothing if the parts fit together. Each
/// part must have passed reading: its indices exist. Nearly linear in the plan.
std::optional<std::string> contradictionIn(const RankCountPlan &plan, int rankCount);

/// The same for some transformations. The plan may lack what others keep.
std::optional<std::string>
contradictionInContents(const RankCountPlan &plan, int rankCount,
                        const std::vector<const PlanSections *> &contents);

/// Throws FormatError, "NAME: contradicts itself for 4 ranks: ...", for the first contradiction in
/// any rank count.
void refuseContradictions(const Plan &plan, const std::string &name);

} // namespace sendwright

#endif
