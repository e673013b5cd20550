// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONINPLAN_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONINPLAN_H

#include "analysis/file/Container.h"

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory synchronises runs of so many ranks. All ranks that hold the same bytes
/// answer the same, whatever memory they have and whatever is damaged: it cannot fail.
bool synchronizesRun(const void *data, std::size_t size, int rankCount) noexcept;

/// Where the plan has the steps of a rank of such a run.
SectionKey stepsOfRank(int rankCount, int rank);

} // namespace sendwright

#endif
