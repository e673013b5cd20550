// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the planner leaves sites alone that transformations have candidates for, and why it takes one
// candidate rather than another.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNREASONS_H

#include "analysis/planner/RunChoice.h"
#include "analysis/transformation/Candidate.h"
#include "analysis/transformation/LeaveReason.h"
#include "analysis/transformation/PlannerOptions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sendwright {

/// The conditions that can fail for a site with candidates. In backquotes: the facts of SiteRefusal
/// that the sentence needs.
enum class SiteObstacle : std::uint8_t {
  NotReplayed,    ///< the replay does not reach the end of the run as written: `stuckAt`
  BeyondReplay,   ///< its sends lie beyond the calls that were replayed
  NotTried,       ///< the search had reached its limit
  Endless,        ///< ranks would wait for one another: `outcome`
  RunNotShorter,  ///< the whole run would not end sooner: `outcome`
  BelowThreshold, ///< the whole run would gain less than `limit` percent: `outcome`
  MeasuredLoss,   ///< it was measured to be slower than as written: `measured`
  Synchronized    ///< buffers are planned for the order as written
};
inline constexpr SiteObstacle lastSiteObstacle = SiteObstacle::Synchronized;

/// The condition that fails, and the facts that its sentence needs.
struct SiteRefusal {
  SiteObstacle obstacle = SiteObstacle::NotTried;
  SiteOutcome outcome = {};
  double limit = 0;         ///< percent
  std::string stuckAt = {}; ///< RunChoice::stuckAt
  MeasuredGain measured = {};
};

/// A sentence for the plan.
std::string textOf(const SiteRefusal &refusal);
/// The kind of reason that it is in a table of all loops.
LeaveReason leaveReasonOf(const SiteRefusal &refusal);

/// Why a site with candidates is left alone, by the whole run.
SiteRefusal judgeRun(const SiteOutcome &outcome, double thresholdPercent);

/// Why one candidate is not taken. In backquotes: the facts of CandidateRefusal that the sentence
/// needs.
enum class CandidateObstacle : std::uint8_t {
  AnotherGainsMore,  ///< `means` is predicted to gain more
  RunNotReplayed,    ///< the replay does not reach the end of the run as written
  RunSoonerBy,       ///< the whole run is predicted to end sooner by `means`
  RunGainsTooLittle, ///< the whole run is not predicted to gain enough
};
inline constexpr CandidateObstacle lastCandidateObstacle = CandidateObstacle::RunGainsTooLittle;

struct CandidateRefusal {
  CandidateObstacle obstacle = CandidateObstacle::RunGainsTooLittle;
  std::string_view means = {}; ///< Candidate::means of the candidate that is taken
};

/// Part of a sentence: "the order is predicted to gain more".
std::string textOf(const CandidateRefusal &refusal);

/// Why `candidate` is not taken, by the whole run; nothing if its transformation rewrites the site.
/// `taken`: what the run chose for the site, or null.
std::optional<CandidateRefusal> whyMissed(const RunChoice &run, const Candidate *taken,
                                          const Candidate &candidate);

/// "; the whole run is predicted to take 46.7 ms instead of 49.3 ms".
std::string runGainText(const SiteOutcome &outcome);

} // namespace sendwright

#endif
