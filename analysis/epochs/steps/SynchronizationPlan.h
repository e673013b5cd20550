// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan holds about synchronisation between super epochs.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONPLAN_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONPLAN_H

#include "analysis/epochs/steps/StepPlanning.h"
#include "analysis/epochs/steps/SynchronizationSteps.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sendwright {

/// A call of the source before which ranks synchronise.
struct SynchronizedCall {
  SiteIdentity site; ///< the call, in all instantiations of a template
  CallActions actions;
};

/// Where a program synchronises so that a number of message buffers suffices.
struct SynchronizationPlan : PlanPartOf<SynchronizationPlan> {
  static constexpr std::string_view partName = "synchronization";
  SynchronizationKind kind = SynchronizationKind::None;
  std::vector<std::uint32_t> buffers; ///< by rank
  std::uint64_t superEpochs = 0;
  std::uint64_t synchronizations = 0;  ///< of all ranks together
  std::uint64_t wildcardReceives = 0;  ///< if these match as in the profile, the buffers suffice
  std::vector<SynchronizedCall> calls; ///< by file and line: calls that the plugin marked
  std::uint64_t actsUnmarked = 0;      ///< how often ranks act before other calls
  std::uint64_t actsAtEnd = 0;         ///< how many ranks act after their last call
  std::vector<RankSteps> ranks;        ///< one for each rank; empty if nothing is synchronised
};

/// As bytes, without the steps of the ranks. Reading throws FormatError.
std::string encodeSynchronization(const SynchronizationPlan &plan);
SynchronizationPlan decodeSynchronization(ByteReader &in, int rankCount);

} // namespace sendwright

#endif
