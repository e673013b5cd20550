// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a plan that is for a given run.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANFORRANKCOUNT_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANFORRANKCOUNT_H

#include "analysis/plan/Plan.h"

#include <cstddef>
#include <string>

namespace sendwright {

/// What the plan says for runs of `ranks` ranks; it belongs to `plan`. Throws FormatError, with the
/// names of the plan and the run, if the plan is for other numbers of ranks.
const RankCountPlan &planForRun(const Plan &plan, const std::string &planName, std::size_t ranks,
                                const std::string &runName);

} // namespace sendwright

#endif
