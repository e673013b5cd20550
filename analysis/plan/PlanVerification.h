// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks' parts of a plan fit together. Reading a section shows that its indices exist
// and no more: a send may have no receive, a block may arrive twice, ranks may wait for one another
// in a circle. Whoever sees the parts of all ranks looks at these relations before anybody follows
// the plan, so that a plan which somebody changed cannot change a result.
//
// Each transformation says what contradicts itself in its parts (PlanContent.h).

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANVERIFICATION_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANVERIFICATION_H

#include "analysis/plan/Plan.h"

#include <optional>
#include <string>

namespace sendwright {

/// The first contradiction in the plan for `rankCount` ranks: "collective 0 at loop.c:12: rank 3
/// receives slot 2 from rank 1, which does not send it"; nothing where the parts fit together. Each
/// part by itself is as reading leaves it: its indices exist. Nearly linear in the plan.
std::optional<std::string> contradictionIn(const RankCountPlan &plan, int rankCount);

/// The same of what ranks follow together at run time (PlanContent::isFollowedTogether()). The plan
/// may lack everything else.
std::optional<std::string> contradictionInJointParts(const RankCountPlan &plan, int rankCount);

/// Throws FormatError, "NAME: contradicts itself for 4 ranks: ...", for the first contradiction of
/// any rank count.
void verifyPlan(const Plan &plan, const std::string &name);

} // namespace sendwright

#endif
