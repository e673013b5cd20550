// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the ranks' parts of the shared exchanges fit together: both ends of a combined
// message list the same contents, and each message of the pattern travels from its source to its
// destination.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARINGCONTRADICTIONS_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARINGCONTRADICTIONS_H

#include "analysis/sharing/SharedExchanges.h"
#include "analysis/transformation/JointSum.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sendwright {

/// The first contradiction in the exchanges of a plan for `rankCount` ranks, if there is one. O(h
/// log h) for h hops of messages. `nameOf` gives the name of a site of the plan.
std::optional<std::string>
contradictionInExchanges(const SharedExchanges &plan, int rankCount,
                         const std::function<std::string(std::uint32_t)> &nameOf);

/// Adds the part of one rank, which `own` has alone: the sum over all ranks is zero if there is no
/// contradiction. `own` must not be a plan of all ranks unless there is only one. Linear in the
/// part, and in the number of ranks for each exchange.
void addExchangesToSum(const SharedExchanges &own, int rankCount, int rank, JointSum &sum);

} // namespace sendwright

#endif
