// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a whole run takes if only its beginning is simulated. What was cut off repeats what was
// simulated: each event costs there what it cost on average in the beginning, after its first time.
// So a loop counts as often as it is executed, and what happens once counts once.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_WHOLERUN_H
#define SENDWRIGHT_ANALYSIS_REPLAY_WHOLERUN_H

#include "analysis/run/Timeline.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Seconds of the whole run from its beginning to the end of the rank that takes longest, without
/// what precedes the ranks' first events. `ends`: by rank and position, when each event of the
/// simulated beginning was over; `begun`: when the first events began. `placeOf`: by rank and event
/// number. Computation is known for all events. An event that was never simulated costs what others
/// at its place cost on its rank, or nothing. O(n log p) for n events and p places.
double secondsOfWholeRun(const Timeline &timeline, const std::vector<std::vector<double>> &ends,
                         double begun, const std::vector<std::vector<std::uint32_t>> &placeOf);

} // namespace sendwright

#endif
