// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a route table as the ranks would: stage by stage, each rank from its own part alone. A
// rank must hold what it sends, and must receive what the other rank sends. No table is used unless
// it passes this.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTESIMULATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTESIMULATION_H

#include "analysis/sharing/routes/RouteTable.h"

#include <string>

namespace sendwright {

/// Executes the ranks' parts. Empty if, in the end, every message of the pattern was at its
/// destination and nowhere else, and no rank waited for something that nobody sent; otherwise the
/// first problem. O(hops log ranks).
std::string simulateStages(const ExchangePattern &pattern, const std::vector<RankStages> &ranks);

/// The same for a table, which is first divided among the ranks.
std::string simulateRoutes(const ExchangePattern &pattern, const RouteTable &table);

} // namespace sendwright

#endif
