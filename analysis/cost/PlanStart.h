// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan costs once.

#ifndef SENDWRIGHT_ANALYSIS_COST_PLANSTART_H
#define SENDWRIGHT_ANALYSIS_COST_PLANSTART_H

#include "analysis/cost/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/plan/Timeline.h"

namespace sendwright {

/// Seconds in MPI_Init of a run whose messages are shared or whose loops follow schedules: ranks
/// agree on the plan and make a communicator. 0 for other plans, and where the machine file does
/// not say what a communicator takes. Of a run of which `timeline` is the beginning, the part that
/// the beginning has to bear. O(ranks).
double planStartSeconds(const Timeline &timeline, const Machine &machine,
                        const RankCountPlan &plan);

} // namespace sendwright

#endif
