// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From super epochs to steps: where in its calls each rank synchronises, and with whom.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPPLANNING_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPPLANNING_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/steps/SynchronizationSteps.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// How often calls have to wait for other ranks, or to tell them something, before they are made.
struct CallActions {
  std::uint64_t acts = 0;  ///< calls, of all ranks together
  std::uint32_t ranks = 0; ///< so many ranks make them
};

/// Where synchronisation stands in the program. What is nothing to do (an announcement to nobody)
/// does not count.
struct SynchronizedCalls {
  std::map<int, CallActions> marked; ///< by index into Profile::callSites
  std::uint64_t unmarked = 0;        ///< the same of calls without such a site
  std::uint64_t atEnd = 0;           ///< ranks that act when they make no further call
};

struct PlannedSteps {
  std::vector<RankSteps> ranks; ///< none where nothing is synchronised
  SynchronizedCalls calls;
};

/// The steps of every rank for one kind of synchronisation; `analysis` must be of this profile.
/// Before the first call of a rank in a super epoch (but the first super epoch) stands the group
/// that it synchronises with. Linear in the run and in the members of all super epochs.
PlannedSteps planSteps(const Profile &profile, const EpochAnalysis &analysis,
                       SynchronizationKind kind);

} // namespace sendwright

#endif
