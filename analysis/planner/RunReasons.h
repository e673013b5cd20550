// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of a plan that rest on the whole run.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H

#include "analysis/planner/RunChoice.h"
#include "analysis/transformation/LeaveReason.h"

#include <string>

namespace sendwright {

/// Why a site with candidates is left alone, by the whole run.
Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// The same if the replay does not reach the end of the run as written.
Verdict judgeStuckRun(const RunChoice &run);
/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
