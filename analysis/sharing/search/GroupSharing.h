// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group sharing in two stages: within a group of ranks, one collects all that the group has for a
// destination, and sends it.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSHARING_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Routes by groups of `groupSize` neighbouring ranks (the last group may be smaller). Who collects
/// for a destination is the one with the least to send so far, of those that have something for
/// it. What is for a rank of the group goes there at once. O(messages * log messages).
RouteTable groupRoutes(const ExchangePattern &pattern, std::int32_t groupSize);

} // namespace sendwright

#endif
