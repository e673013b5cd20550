// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVESINPLAN_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVESINPLAN_H

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory has collectives for runs of `rankCount` ranks. Cannot fail: all ranks
/// that hold the same bytes get the same answer, whatever memory they have and whatever is damaged.
bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept;

} // namespace sendwright

#endif
