// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a route table as the ranks would: stage by stage, each rank from its own part alone.
// What a rank sends it must hold, what it receives must be what the other one sends. No table is
// used that has not passed this.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTESIMULATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTESIMULATION_H

#include "analysis/sharing/routes/RouteTable.h"

#include <string>

namespace sendwright {

/// Executes the ranks' parts. Empty when every message of the pattern was at its destination in the
/// end and nowhere twice, and nobody waited for what nobody sent; otherwise what went wrong first.
/// O(hops log ranks).
std::string simulateStages(const ExchangePattern &pattern, const std::vector<RankStages> &ranks);

/// The same of a table, which is first divided among the ranks.
std::string simulateRoutes(const ExchangePattern &pattern, const RouteTable &table);

} // namespace sendwright

#endif
