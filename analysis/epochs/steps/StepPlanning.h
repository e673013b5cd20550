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

/// How often calls must wait for other ranks, or tell them something, before they are made.
struct CallActions {
  std::uint64_t acts = 0;  ///< calls of all ranks together
  std::uint32_t ranks = 0; ///< how many ranks make them
};

/// Where the program synchronises. Announcements to nobody do not count.
struct SynchronizedCalls {
  std::map<int, CallActions> marked; ///< by index into Profile::callSites
  std::uint64_t unmarked = 0;        ///< likewise, for calls without such a site
  std::uint64_t atEnd = 0;           ///< ranks that act when they make no further call
};

struct PlannedSteps {
  std::vector<RankSteps> ranks; ///< empty if nothing is synchronised
  SynchronizedCalls calls;
};

/// The steps of every rank for one kind of synchronisation; `analysis` must belong to this profile.
/// A rank's first call in each super epoch but the first is preceded by the group that it
/// synchronises with. Linear in the run and in the members of all super epochs.
PlannedSteps planSteps(const Profile &profile, const EpochAnalysis &analysis,
                       SynchronizationKind kind);

} // namespace sendwright

#endif
