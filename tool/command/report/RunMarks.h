// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places between the calls of a run at which something begins that is no call: super epochs, and
// what ranks do there to synchronise.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_RUNMARKS_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_RUNMARKS_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// In the order of the page's legend.
enum class MarkKind : std::uint8_t {
  SuperEpoch,  ///< begins here; `number`: which
  Synchronize, ///< waits until other ranks have come as far; `number`: how many ranks, 0: all
  Announce,    ///< tells other ranks that it has come so far; `number`: how many
  Await        ///< waits until a rank has told; `number`: which
};

struct RunMark {
  std::uint32_t rank = 0;
  MarkKind kind = MarkKind::SuperEpoch;
  std::uint32_t number = 0;
  std::uint32_t position = 0; ///< before this event of the rank's timeline; its size: at the end
};

/// Where each super epoch but the first begins, at the ranks that have a part in it; by rank, then
/// position. `analysis` must be of this run. Linear in the timeline.
std::vector<RunMark> superEpochMarks(const Timeline &timeline, const EpochAnalysis &analysis);

/// Where the plan synchronises, likewise; nothing for ranks that the plan has no steps for. Linear
/// in the timeline and the steps of its calls.
std::vector<RunMark> synchronizationMarks(const Timeline &timeline,
                                          const SynchronizationPlan &plan);

} // namespace sendwright

#endif
