// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group sharing in two stages: for each destination, one rank of a group collects everything that
// the group has for it, and sends it.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSHARING_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Routes by groups of `groupSize` neighbouring ranks (the last group may be smaller). The
/// collector for a destination is, among the ranks that have something for it, the rank with the
/// least to send so far. Messages within a group are sent directly. O(messages * log messages).
RouteTable groupRoutes(const ExchangePattern &pattern, std::int32_t groupSize);

} // namespace sendwright

#endif
