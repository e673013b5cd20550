// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVESINPLAN_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVESINPLAN_H

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory has collectives for runs of so many ranks. All ranks that hold the same
/// bytes answer the same, whatever memory they have and whatever is damaged: it cannot fail.
bool plansCollectives(const void *data, std::size_t size, int rankCount) noexcept;

} // namespace sendwright

#endif
