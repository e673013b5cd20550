// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXCHANGESINPLAN_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXCHANGESINPLAN_H

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory shares messages in runs of `rankCount` ranks. Cannot fail: all ranks
/// that hold the same bytes get the same answer, whatever memory they have and whatever is damaged.
bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept;
/// The same for runs of any number of ranks that the plan has.
bool sharesMessages(const void *data, std::size_t size) noexcept;

} // namespace sendwright

#endif
