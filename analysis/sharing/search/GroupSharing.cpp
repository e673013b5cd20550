// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/GroupSharing.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sendwright {

RouteTable groupRoutes(const ExchangePattern &pattern, std::int32_t groupSize) {
  RouteTable table{2, {}};
  table.routes.resize(pattern.messages.size());
  std::vector<std::uint32_t> order(pattern.messages.size());
  std::iota(order.begin(), order.end(), 0);
  const auto keyOf = [&](std::uint32_t index) {
    const PatternMessage &message = pattern.messages[index];
    return std::tuple(message.source / groupSize, message.destination, message.source);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keyOf(a) < keyOf(b); });
  std::vector<std::int64_t> sends(pattern.ranks);
  for (auto begin = order.begin(); begin != order.end();) {
    const auto [group, destination, first] = keyOf(*begin);
    const auto end = std::find_if(begin, order.end(), [&, g = group, d = destination](auto index) {
      return std::get<0>(keyOf(index)) != g || std::get<1>(keyOf(index)) != d;
    });
    std::int32_t collector = destination;
    if (destination / groupSize != group) {
      const auto least = std::min_element(begin, end, [&](std::uint32_t a, std::uint32_t b) {
        return sends[pattern.messages[a].source] < sends[pattern.messages[b].source];
      });
      collector = pattern.messages[*least].source;
      ++sends[collector];
    }
    for (; begin != end; ++begin) {
      std::vector<Hop> &route = table.routes[*begin];
      if (pattern.messages[*begin].source != collector)
        route.push_back({0, collector});
      if (collector != destination)
        route.push_back({1, destination});
    }
  }
  return table;
}

} // namespace sendwright
