// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/RouteTable.h"

#include "analysis/sharing/routes/PlacedHops.h"

namespace sendwright {

namespace {

void addTo(std::vector<Transfer> &transfers, std::int32_t peer, std::uint32_t message) {
  if (transfers.empty() || transfers.back().peer != peer)
    transfers.push_back({peer, {}});
  transfers.back().messages.push_back(message);
}

} // namespace

std::vector<RankStages> stagesOfRanks(const ExchangePattern &pattern, const RouteTable &table) {
  std::vector<RankStages> ranks(pattern.ranks, RankStages(table.stages));
  // Hops are ordered by sender first, so the receives of each rank come ordered by peer, too.
  for (const PlacedHop &hop : placedHops(pattern, table)) {
    addTo(ranks[hop.from][hop.stage].sends, hop.to, hop.message);
    addTo(ranks[hop.to][hop.stage].receives, hop.from, hop.message);
  }
  return ranks;
}

bool keepsRouteRules(const ExchangePattern &pattern, const RouteTable &table) {
  if (table.routes.size() != pattern.messages.size())
    return false;
  for (std::size_t message = 0; message < table.routes.size(); ++message) {
    std::int32_t at = pattern.messages[message].source, stage = -1;
    for (const Hop &hop : table.routes[message]) {
      if (hop.stage <= stage || hop.stage >= table.stages || hop.target == at || hop.target < 0 ||
          hop.target >= pattern.ranks)
        return false;
      at = hop.target;
      stage = hop.stage;
    }
    if (at != pattern.messages[message].destination)
      return false;
  }
  return true;
}

RouteTable directRoutes(const ExchangePattern &pattern) {
  RouteTable table{1, {}};
  table.routes.reserve(pattern.messages.size());
  for (const PatternMessage &message : pattern.messages)
    table.routes.push_back({{0, message.destination}});
  return table;
}

} // namespace sendwright
