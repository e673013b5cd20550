// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses what to do at each site so that the whole program is predicted to end soonest. Sites
// interact: an order that lets one loop's receivers go on may make them meet at another loop. So
// combinations are judged by replaying the run under them (RunSimulation.h), not by adding up the
// gains of sites.
//
// The search starts with all sites as written and adds, one by one, the candidate that helps most
// together with what is there. A second search starts with everything that the sites' own models
// propose, which finds candidates that help only together. In both, candidates that do not help are
// dropped again, and the better result is taken.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_RUNCHOICE_H
#define SENDWRIGHT_ANALYSIS_PLANNER_RUNCHOICE_H

#include "analysis/machine/Machine.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"
#include "analysis/transformation/Candidate.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// A site of the profile, with what may be done there besides leaving it alone.
struct SiteCandidates {
  int site = 0;
  std::vector<Candidate> candidates;
  std::size_t proposed = notProposed; ///< the candidate that the site's own model takes
  static constexpr std::size_t notProposed = SIZE_MAX;
};

/// The outcome for a site. Times are seconds of the whole run, with all other sites as chosen;
/// estimates (WholeRun.h) if only its beginning was replayed.
struct SiteOutcome {
  std::size_t choice = 0; ///< the number of the candidate, from 1; 0: as written
  std::string choiceText = "as written";
  std::string bestText = "as written"; ///< the candidate of `after`: the chosen one, or for a site
                                       ///< left alone the best that was not taken
  double before = 0;                   ///< with the site as written
  double after = 0;                    ///< with that candidate
  bool tried = false; ///< false: the search had reached its limit, or there was nothing to choose
  /// With that candidate some ranks would never reach their end: they wait for one another.
  bool endless() const { return after == std::numeric_limits<double>::infinity(); }
  double gainPercent() const { return before > 0 ? 100 * (before - after) / before : 0; }
};

struct RunChoice {
  std::vector<SiteOutcome> sites;   ///< one for each of the candidates' sites
  double asWritten = 0, chosen = 0; ///< seconds of the run
  std::optional<double> alltoallv;  ///< as written, with arrays redistributed by MPI_Alltoallv;
                                    ///< nothing without redistributions. All other figures are for
                                    ///< schedules
  std::uint64_t events = 0;         ///< of all ranks, replayed each time
  std::uint64_t replays = 0;
  bool cut = false; ///< only the beginning of the run was replayed
  /// Ranks that never reach the end of the replay as written: then its times cover only an unknown
  /// beginning of the run, and the search takes nothing.
  std::uint64_t stuck = 0;
  std::string stuckAt; ///< the first of these ranks: "rank 0 in MPI_Send at app.c:12"
};

struct RunChoiceOptions {
  const RankCountPlan *elsewhere = nullptr; ///< what the plan does apart from its sites, in all
                                            ///< replays but those of the run as written
  double thresholdPercent = 1; ///< of the whole run; a rewrite that gains less is not taken
  bool search = true;          ///< false: the proposed candidates are taken and only judged
  std::uint64_t mostEvents = 2'000'000;  ///< in one replay
  std::uint64_t allEvents = 100'000'000; ///< in all replays together, approximately

  /// Sets both limits for so many events in one replay.
  void replayUpTo(std::uint64_t events) {
    allEvents = allEvents / mostEvents * events;
    mostEvents = events;
  }
};

/// Chooses for a run with its `timeline` and `loops`. These are replayed, or a shorter part of the
/// run is unrolled if they exceed the limits. A candidate is taken if the run without it would take
/// at least `thresholdPercent` longer, and never if the run without it would end sooner.
/// Deterministic: events limit the search, not a clock.
///
/// Takes about 3 c + 3 s replays for c candidates at s sites, each O(n log m) for n events
/// (RunSimulation.h). If these would exceed `allEvents`, less of the run is replayed, down to
/// 200,000 events; if that is not enough, candidates are left untried, those of the last sites
/// first.
RunChoice chooseByReplay(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                         const Machine &machine, const std::vector<SiteCandidates> &sites,
                         const RunChoiceOptions &options);

} // namespace sendwright

#endif
