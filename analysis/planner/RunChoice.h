// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do at each site so that the whole program is predicted to end soonest. Sites interact: an
// order that lets one loop's receivers go on may make them meet at another's. So combinations are
// judged by replaying the run under them (RunSimulation.h), not by adding up what each site gains.
//
// The search starts from all as written and adds, one after another, the candidate that helps most
// beside what is there. Another start is what the sites' own models propose, all together, which
// finds what only helps together. From both, what does not help is dropped again, and the better
// one is taken.

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

/// A site of the profile with what may be done there beside leaving it.
struct SiteCandidates {
  int site = 0;
  std::vector<Candidate> candidates;
  std::size_t proposed = notProposed; ///< the candidate that the site's own model takes
  static constexpr std::size_t notProposed = SIZE_MAX;
};

/// What became of a site. Seconds of the whole run as far as it was replayed, with all other sites
/// as they were chosen.
struct SiteOutcome {
  std::size_t choice = 0; ///< the number of the candidate, from 1; 0: as written
  std::string choiceText = "as written";
  std::string bestText = "as written"; ///< the candidate that `after` is of; where the site is
                                       ///< left, the best one that was not taken
  double before = 0;                   ///< with the site as written
  double after = 0;                    ///< with the best
  bool tried = false; ///< false: the search had come to its limit, or nothing was to be chosen
  /// With the best some ranks would never come to their end: they wait for one another.
  bool endless() const { return after == std::numeric_limits<double>::infinity(); }
  double gainPercent() const { return before > 0 ? 100 * (before - after) / before : 0; }
};

struct RunChoice {
  std::vector<SiteOutcome> sites;   ///< one for each of the candidates' sites
  double asWritten = 0, chosen = 0; ///< seconds of the run
  std::optional<double> alltoallv; ///< as written, with arrays redistributed by MPI_Alltoallv; none
                                   ///< where none are. By schedules in all other figures
  std::uint64_t events = 0;        ///< of all ranks, replayed each time
  std::uint64_t replays = 0;
  bool cut = false; ///< the run is longer than what was replayed of it
  /// Ranks that never come to the end of the replay as written: its times are then those of a
  /// beginning that nobody knows. The search takes nothing.
  std::uint64_t stuck = 0;
  std::string stuckAt; ///< "rank 0 in MPI_Send at app.c:12", for the first of them
};

struct RunChoiceOptions {
  double thresholdPercent = 1; ///< of the whole run; a rewrite that gains less is not taken
  bool search = true;          ///< false: the proposed candidates are taken, and only judged
  std::uint64_t mostEvents = 2'000'000;  ///< replayed at once
  std::uint64_t allEvents = 100'000'000; ///< in all replays together, about
};

/// Chooses for a run with its `timeline` and `loops`, which are replayed where they are no longer
/// than what is to be replayed; otherwise a shorter part is unrolled. A candidate is taken where
/// the run without it would take at least `thresholdPercent` longer, and never where it would end
/// sooner. Deterministic: the search is limited by events, not by a clock.
///
/// About 3 c + 3 s replays for c candidates at s sites, each O(n log m) for n events
/// (RunSimulation.h); where they would come to more than `allEvents`, less of the run is replayed,
/// down to 200,000 events, and beyond that candidates are left untried, those of the last sites
/// first.
RunChoice chooseByReplay(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                         const Machine &machine, const std::vector<SiteCandidates> &sites,
                         const RunChoiceOptions &options);

} // namespace sendwright

#endif
