// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks' parts of the shared exchanges fit together: both ends of a combined message
// have the same messages in it, and each message of the pattern comes from its source to its
// destination.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARINGVERIFICATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARINGVERIFICATION_H

#include "analysis/plan/Plan.h"

#include <optional>
#include <string>

namespace sendwright {

/// The first contradiction of the exchanges of a plan for `rankCount` ranks; nothing where there is
/// none. O(h log h) for h hops of messages.
std::optional<std::string> contradictionInExchanges(const RankCountPlan &plan, int rankCount);

} // namespace sendwright

#endif
