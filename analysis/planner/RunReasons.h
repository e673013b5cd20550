// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of a plan that compare a site's candidates, or that rest on the whole run.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H

#include "analysis/planner/RunChoice.h"
#include "analysis/transformation/Candidate.h"
#include "analysis/transformation/LeaveReason.h"

#include <optional>
#include <string>

namespace sendwright {

/// Why a site with candidates is left alone, by the whole run.
Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// The same if the replay does not reach the end of the run as written.
Verdict judgeStuckRun(const RunChoice &run);

/// Why a candidate is not taken if `taken`, a candidate for the same site, is predicted to gain
/// more.
std::string whyMissed(const Candidate &taken);
/// Why `candidate` is not taken, by the whole run; nothing if its transformation rewrites the site.
/// `taken`: what the run chose for the site, or null.
std::optional<std::string> whyMissed(const RunChoice &run, const Candidate *taken,
                                     const Candidate &candidate);

/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
