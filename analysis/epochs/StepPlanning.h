// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From super epochs to steps: where in its calls each rank synchronises, and with whom.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPPLANNING_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPPLANNING_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/SynchronizationSteps.h"

#include <vector>

namespace sendwright {

/// The steps of every rank for one kind of synchronisation; `analysis` must be of this profile.
/// Before the first call of a rank in a super epoch (but the first super epoch) stands the group
/// that it synchronises with. Linear in the run and in the members of all super epochs.
std::vector<RankSteps> planSteps(const Profile &profile, const EpochAnalysis &analysis,
                                 SynchronizationKind kind);

} // namespace sendwright

#endif
