// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are collective operations, execution by execution: which messages belong to each, and
// where each rank comes to it. The k-th execution of the loop is the k-th instance: at the root or,
// without a root, at each rank.

#ifndef SENDWRIGHT_ANALYSIS_RUN_LOOPINSTANCES_H
#define SENDWRIGHT_ANALYSIS_RUN_LOOPINSTANCES_H

#include "analysis/mpi/Collective.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// Whether one rank has all blocks, or gets all blocks.
bool hasRoot(Collective operation);
/// Whether the loop consists of receives: at the root of Gather and Reduce.
bool loopReceives(Collective operation);

struct LoopInstance {
  std::vector<EventPosition> entries;  ///< by rank: the first call of each rank that takes part, of
                                       ///< the loop or else its send or receive
  std::vector<std::uint32_t> messages; ///< indices into Timeline::messages, ascending
};

/// All instances of each loop, by its site in the profile. Loops without marks have no instances.
/// O(e + m log m) for e events and m messages.
std::map<int, std::vector<LoopInstance>> findLoopInstances(const Timeline &timeline,
                                                           const std::map<int, Collective> &loops);

} // namespace sendwright

#endif
