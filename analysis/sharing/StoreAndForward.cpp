// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/StoreAndForward.h"

#include <algorithm>
#include <bit>

namespace sendwright {

namespace {

constexpr int mostDimensions = 9;

int digitsOf(std::int32_t ranks) {
  return ranks < 3 ? 0 : std::bit_width(static_cast<std::uint32_t>(ranks - 1));
}

} // namespace

int largestGridDimensions(std::int32_t ranks) { return std::min(digitsOf(ranks), mostDimensions); }

GridExtents gridExtents(std::int32_t ranks, int dimensions) {
  const int digits = digitsOf(ranks);
  GridExtents extents;
  std::int32_t stride = 1;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const int longer = dimension < digits % dimensions ? 1 : 0;
    extents.push_back(std::int32_t{1} << (digits / dimensions + longer));
    if (dimension + 1 < dimensions)
      stride *= extents.back();
  }
  extents.back() = (ranks + stride - 1) / stride;
  return extents;
}

RouteTable gridRoutes(const ExchangePattern &pattern, const GridExtents &extents) {
  RouteTable table{static_cast<std::int32_t>(extents.size()), {}};
  table.routes.reserve(pattern.messages.size());
  std::int64_t lastRow = 1;
  for (std::size_t dimension = 0; dimension + 1 < extents.size(); ++dimension)
    lastRow *= extents[dimension];
  for (const PatternMessage &message : pattern.messages) {
    std::vector<Hop> &route = table.routes.emplace_back();
    std::int64_t at = message.source, stride = 1;
    for (std::int32_t stage = 0; stage < table.stages; ++stage) {
      stride *= extents[stage];
      // The digits up to this one are the destination's, those above stay.
      std::int64_t next = at - at % stride + message.destination % stride;
      if (stage + 1 == table.stages)
        next = message.destination;
      else if (next >= pattern.ranks)
        next -= lastRow;
      if (next != at)
        route.push_back({stage, static_cast<std::int32_t>(next)});
      at = next;
    }
  }
  return table;
}

} // namespace sendwright
