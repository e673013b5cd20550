// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/RunReasons.h"

#include "analysis/file/FigureText.h"
#include "analysis/verification/VerifiedGains.h"

namespace sendwright {

namespace {

std::string runTimes(const SiteOutcome &outcome) {
  return runTimeText(outcome.after) + " instead of " + runTimeText(outcome.before);
}

} // namespace

SiteRefusal judgeRun(const SiteOutcome &outcome, double thresholdPercent) {
  const auto refused = [&](SiteObstacle obstacle) {
    return SiteRefusal{.obstacle = obstacle, .outcome = outcome, .limit = thresholdPercent};
  };
  if (!outcome.reached)
    return refused(SiteObstacle::BeyondReplay);
  if (!outcome.tried)
    return refused(SiteObstacle::NotTried);
  if (outcome.endless())
    return refused(SiteObstacle::Endless);
  return refused(outcome.before <= outcome.after ? SiteObstacle::RunNotShorter
                                                 : SiteObstacle::BelowThreshold);
}

std::string textOf(const SiteRefusal &refusal) {
  const SiteOutcome &outcome = refusal.outcome;
  const std::string times = " (" + outcome.bestText + ": " + runTimes(outcome) + ")";
  switch (refusal.obstacle) {
  case SiteObstacle::NotReplayed:
    return "the run cannot be replayed to its end on this machine (" + refusal.stuckAt +
           " would wait forever), so its gain is unknown (--choose models)";
  case SiteObstacle::BeyondReplay:
    return "its sends lie beyond the calls that were replayed (--events N replays more)";
  case SiteObstacle::NotTried:
    return "it was not tried: the search had reached its limit";
  case SiteObstacle::Endless:
    return "with " + outcome.bestText + " ranks would wait for one another";
  case SiteObstacle::RunNotShorter:
    return "the whole run would not end sooner" + times;
  case SiteObstacle::BelowThreshold:
    return "the whole run would gain " + percentText(outcome.gainPercent()) +
           ", below the threshold of " + percentText(refusal.limit, 3) + times;
  case SiteObstacle::MeasuredLoss:
    return "measured to be slower than as written: " + describe(refusal.measured);
  case SiteObstacle::Synchronized:
    return "the program is synchronised for few message buffers, which suffice for the order as "
           "written";
  }
  return "";
}

LeaveReason leaveReasonOf(const SiteRefusal &refusal) {
  switch (refusal.obstacle) {
  case SiteObstacle::NotReplayed:
    return LeaveReason::RunNotReplayed;
  case SiteObstacle::BeyondReplay:
    return LeaveReason::NeverSeen;
  case SiteObstacle::NotTried:
  case SiteObstacle::Endless:
  case SiteObstacle::RunNotShorter:
    return LeaveReason::RunNotShorter;
  case SiteObstacle::BelowThreshold:
    return LeaveReason::BelowThreshold;
  case SiteObstacle::MeasuredLoss:
    return LeaveReason::MeasuredLoss;
  case SiteObstacle::Synchronized:
    return LeaveReason::Synchronized;
  }
  return LeaveReason::None;
}

std::string textOf(const CandidateRefusal &refusal) {
  const std::string means(refusal.means);
  switch (refusal.obstacle) {
  case CandidateObstacle::AnotherGainsMore:
    return means + " is predicted to gain more";
  case CandidateObstacle::RunNotReplayed:
    return "the run cannot be replayed to its end";
  case CandidateObstacle::RunSoonerBy:
    return "the whole run is predicted to end sooner by " + means;
  case CandidateObstacle::RunGainsTooLittle:
    return "the whole run is not predicted to gain enough by it";
  }
  return "";
}

std::optional<CandidateRefusal> whyMissed(const RunChoice &run, const Candidate *taken,
                                          const Candidate &candidate) {
  if (taken && taken->stem == candidate.stem)
    return {};
  if (run.stuck > 0)
    return CandidateRefusal{CandidateObstacle::RunNotReplayed};
  if (taken)
    return CandidateRefusal{CandidateObstacle::RunSoonerBy, taken->means};
  return CandidateRefusal{CandidateObstacle::RunGainsTooLittle};
}

std::string runGainText(const SiteOutcome &outcome) {
  return "; the whole run is predicted to take " + runTimes(outcome);
}

} // namespace sendwright
