// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of a plan that rest on the whole run.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H

#include "analysis/planner/LeaveReason.h"
#include "analysis/planner/RunChoice.h"

#include <string>

namespace sendwright {

/// Why a site for which there were candidates is left, by the whole run.
Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// The same where the replay does not come to the end of the run as written.
Verdict judgeStuckRun(const RunChoice &run);
/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
