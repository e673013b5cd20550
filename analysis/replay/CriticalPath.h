// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The critical path of a simulated run. From the run's end it goes backwards: on a rank to its last
// wait, from there to what sent the awaited message, and so on to the start.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_CRITICALPATH_H
#define SENDWRIGHT_ANALYSIS_REPLAY_CRITICALPATH_H

#include "analysis/replay/RunSimulation.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// A wait of a rank, and what ended it.
struct PathJoin {
  double until = 0;           ///< when the rank went on
  double causeTime = 0;       ///< when the other rank (or the same) did what the wait depended on
  std::uint32_t position = 0; ///< of the event that waited
  std::uint32_t causeRank = 0, causePosition = 0;
};

/// Enters the path, and what it spends at each place, into `run`, which already has the ranks'
/// totals. `joins`: by rank, in order of time. `ends`: by rank and position, when each event was
/// over. `placeOf`: by rank and event number, an index into the places of `run`. O(n) in the events
/// along the path, plus a logarithm for each step.
void followCriticalPath(const Timeline &timeline, const std::vector<std::vector<PathJoin>> &joins,
                        const std::vector<std::vector<double>> &ends,
                        const std::vector<std::vector<std::uint32_t>> &placeOf, RunSimulation &run);

} // namespace sendwright

#endif
