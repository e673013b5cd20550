// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONINPLAN_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONINPLAN_H

#include "analysis/file/Container.h"

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory synchronises runs of `rankCount` ranks. Cannot fail: all ranks that
/// hold the same bytes get the same answer, whatever memory they have and whatever is damaged.
bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept;

/// The key of the section with the steps of a rank of such a run.
SectionKey stepsOfRank(int rankCount, int rank);

} // namespace sendwright

#endif
