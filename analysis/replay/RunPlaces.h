// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the source to which the events of a run belong.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_RUNPLACES_H
#define SENDWRIGHT_ANALYSIS_REPLAY_RUNPLACES_H

#include "analysis/replay/RunSimulation.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// By rank and event number: indices into `places`, to which new places are added. O(n log p) for n
/// distinct events and p places.
std::vector<std::vector<std::uint32_t>> numberPlaces(const Profile &profile,
                                                     std::vector<SimulatedPlace> &places);

} // namespace sendwright

#endif
