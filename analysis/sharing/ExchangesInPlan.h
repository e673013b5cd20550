// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXCHANGESINPLAN_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXCHANGESINPLAN_H

#include <cstddef>

namespace sendwright {

/// Whether a plan in memory shares messages in runs of so many ranks. All ranks that hold the same
/// bytes answer the same, whatever memory they have and whatever is damaged: it cannot fail.
bool sharesMessages(const void *data, std::size_t size, int rankCount) noexcept;

} // namespace sendwright

#endif
