// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the source to which the events of a run belong, and those that a plan rewrites.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_RUNPLACES_H
#define SENDWRIGHT_ANALYSIS_REPLAY_RUNPLACES_H

#include "analysis/replay/RunSimulation.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// By rank and event number: indices into `places`, to which new places are added. O(n log p) for n
/// distinct events and p places.
std::vector<std::vector<std::uint32_t>> numberPlaces(const Profile &profile,
                                                     std::vector<SimulatedPlace> &places);

/// The loops of a profile that a plan rewrites: from sites of the profile to sites of the plan. A
/// site of the plan without an instantiation stands for all instantiations (TemplateLoops.h). O(s
/// t) for s sites of the plan and t of the profile.
std::map<int, std::uint32_t> plannedSites(const Profile &profile, const RankCountPlan &plan);

} // namespace sendwright

#endif
