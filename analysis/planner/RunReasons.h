// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of a plan that rest on the whole run, and how they print figures.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H

#include "analysis/planner/LeaveReason.h"
#include "analysis/planner/RunChoice.h"

#include <string>

namespace sendwright {

/// snprintf() for up to three figures.
std::string formatted(const char *pattern, double a, double b = 0, double c = 0);
/// Seconds with a unit that a person can read: "49.3 ms".
std::string timeText(double seconds);
/// Seconds of a whole run, in which small parts count: "49.2817 ms".
std::string runTimeText(double seconds);

/// Why a site with candidates is left alone, by the whole run.
Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// The same if the replay does not reach the end of the run as written.
Verdict judgeStuckRun(const RunChoice &run);
/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
