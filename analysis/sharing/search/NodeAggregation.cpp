// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/NodeAggregation.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

using NodePair = std::pair<std::int32_t, std::int32_t>; ///< source and destination

/// What one node has for another.
struct NodeTraffic {
  std::uint64_t items = 0;
  std::int32_t sender = 0, receiver = 0; ///< the ranks at the two ends
};

class Traffic {
public:
  Traffic(const ExchangePattern &pattern, std::int32_t ranksPerNode)
      : ranks(pattern.ranks), ranksPerNode(ranksPerNode) {
    for (const PatternMessage &message : pattern.messages)
      if (const NodePair pair = nodesOf(message); pair.first != pair.second)
        known[pair].items += message.items;
    deal(true);
    deal(false);
  }

  NodePair nodesOf(const PatternMessage &message) const {
    return {message.source / ranksPerNode, message.destination / ranksPerNode};
  }
  const NodeTraffic &between(const NodePair &pair) const { return known.at(pair); }

private:
  /// Deals the nodes out that each node sends to, or receives from.
  void deal(bool sending) {
    std::vector<std::tuple<std::int32_t, std::uint64_t, NodePair>> order; // node, items left
    for (const auto &[pair, traffic] : known)
      order.emplace_back(sending ? pair.first : pair.second, UINT64_MAX - traffic.items, pair);
    std::sort(order.begin(), order.end());
    std::int32_t turn = 0;
    for (std::size_t index = 0; index < order.size(); ++index) {
      const auto &[node, rest, pair] = order[index];
      turn = index > 0 && std::get<0>(order[index - 1]) == node ? turn + 1 : 0;
      const std::int32_t first = node * ranksPerNode;
      const std::int32_t size = std::min(ranksPerNode, ranks - first);
      NodeTraffic &traffic = known[pair];
      if (sending)
        traffic.sender = first + turn % size;
      else
        traffic.receiver = first + size - 1 - turn % size;
    }
  }

  std::int32_t ranks, ranksPerNode;
  std::map<NodePair, NodeTraffic> known;
};

} // namespace

RouteTable aggregateByNodes(const ExchangePattern &pattern, std::int32_t ranksPerNode) {
  RouteTable table{3, {}};
  table.routes.reserve(pattern.messages.size());
  const Traffic traffic(pattern, ranksPerNode);
  for (const PatternMessage &message : pattern.messages) {
    std::vector<Hop> &route = table.routes.emplace_back();
    const NodePair pair = traffic.nodesOf(message);
    if (pair.first == pair.second) {
      route.push_back({0, message.destination});
      continue;
    }
    const NodeTraffic &combined = traffic.between(pair);
    if (message.source != combined.sender)
      route.push_back({0, combined.sender});
    route.push_back({1, combined.receiver});
    if (message.destination != combined.receiver)
      route.push_back({2, message.destination});
  }
  return table;
}

} // namespace sendwright
