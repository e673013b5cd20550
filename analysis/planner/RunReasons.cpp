// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/RunReasons.h"

#include "analysis/file/FigureText.h"

namespace sendwright {

namespace {

std::string runTimes(const SiteOutcome &outcome) {
  return runTimeText(outcome.after) + " instead of " + runTimeText(outcome.before);
}

} // namespace

Verdict judgeRun(const SiteOutcome &outcome, double thresholdPercent) {
  if (!outcome.tried)
    return {LeaveReason::RunNotShorter, "it was not tried: the search had reached its limit"};
  const std::string times = " (" + outcome.bestText + ": " + runTimes(outcome) + ")";
  if (outcome.endless())
    return {LeaveReason::RunNotShorter,
            "with " + outcome.bestText + " ranks would wait for one another"};
  if (outcome.before <= outcome.after)
    return {LeaveReason::RunNotShorter, "the whole run would not end sooner" + times};
  return {LeaveReason::BelowThreshold,
          "the whole run would gain " + percentText(outcome.gainPercent()) +
              ", below the threshold of " + percentText(thresholdPercent, 3) + times};
}

Verdict judgeStuckRun(const RunChoice &run) {
  return {LeaveReason::RunNotReplayed,
          "the run cannot be replayed to its end on this machine (" + run.stuckAt +
              " would wait forever), so its gain is unknown (--choose models)"};
}

std::string whyMissed(const Candidate &taken) {
  return std::string(taken.means) + " is predicted to gain more";
}

std::optional<std::string> whyMissed(const RunChoice &run, const Candidate *taken,
                                     const Candidate &candidate) {
  if (taken && taken->stem == candidate.stem)
    return {};
  if (run.stuck > 0)
    return "the run cannot be replayed to its end";
  if (taken)
    return "the whole run is predicted to end sooner by " + std::string(taken->means);
  return "the whole run is not predicted to gain enough by it";
}

std::string runGainText(const SiteOutcome &outcome) {
  return "; the whole run is predicted to take " + runTimes(outcome);
}

} // namespace sendwright
