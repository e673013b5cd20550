// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of a plan: why a loop is rewritten as it is, and why another is left.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_PLANREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_PLANREASONS_H

#include "analysis/ordering/OrderingDecision.h"
#include "analysis/planner/Planner.h"
#include "analysis/run/SendLoops.h"

#include <string>

namespace sendwright {

/// What becomes of a loop (None: it is rewritten), and the plan's sentence.
struct Verdict {
  LeaveReason kind = LeaveReason::None;
  std::string reason;
};

/// Whether a batch around this loop would hold messages to order at all.
Verdict judgeShape(const Profile &profile, const SendLoops &loops, int site);

/// Whether the order gains what the threshold asks for and more than the overlap that it loses, by
/// its own model. `cut`: what was looked at is the first part of the run.
Verdict judgeOrder(const LoopOrdering &ordering, double thresholdPercent, bool cut);

/// The sentence of judgeOrder() for an order that is taken.
std::string whyOrdered(const LoopOrdering &ordering, bool cut);

/// Seconds that the order gains, and computation that it no longer overlaps, for one phase.
double gainOf(const LoopOrdering &ordering);
double overlapLostBy(const LoopOrdering &ordering);

/// Part of a sentence; empty where sharing pays by its own model. `orderGain`: seconds that an
/// order gains instead, 0 where there is none. `overlapLost`: computation between the sends.
std::string whyNotShared(const SharingPrediction &sharing, double orderGain, double overlapLost,
                         double thresholdPercent);
std::string whyShared(const SharingPrediction &sharing, bool cut);

/// Part of a sentence; empty where a schedule pays by its own model. `otherGain`: seconds that an
/// order or sharing gains instead, 0 where there is neither.
std::string whyNotCollective(const CollectivePrediction &collective, double otherGain,
                             double thresholdPercent);
std::string whyCollective(const CollectivePrediction &collective, bool cut);

/// Seconds of a whole run, of which small parts count, with a unit: "49.2817 ms".
std::string runTimeText(double seconds);

/// Why a site for which there were candidates is left, by the whole run.
Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// The same where the replay does not come to the end of the run as written.
Verdict judgeStuckRun(const RunChoice &run);
/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
