// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/StoreAndForward.h"

#include <algorithm>
#include <bit>

namespace sendwright {

namespace {

constexpr int mostDimensions = 9;

int digitsOf(std::int32_t ranks) {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks - 1)));
}

/// The smallest number whose power by `exponent` is at least `number`.
std::int32_t rootOf(std::int32_t number, int exponent) {
  for (std::int32_t root = 1;; ++root) {
    std::int64_t power = 1;
    for (int factor = 0; factor < exponent && power < number; ++factor)
      power *= root;
    if (power >= number)
      return root;
  }
}

} // namespace

int largestGridDimensions(std::int32_t ranks) {
  return ranks < 3 ? 0 : std::min(digitsOf(ranks), mostDimensions);
}

GridExtents gridExtents(std::int32_t ranks, int dimensions) {
  const bool powerOfTwo = std::has_single_bit(static_cast<std::uint32_t>(ranks));
  GridExtents extents;
  std::int32_t rest = ranks;
  for (; dimensions > 1; --dimensions) {
    const int digits = (digitsOf(rest) + dimensions - 1) / dimensions;
    extents.push_back(powerOfTwo ? std::int32_t{1} << digits : rootOf(rest, dimensions));
    rest = (rest + extents.back() - 1) / extents.back();
  }
  extents.push_back(rest);
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
      // The digits up to this one are the destination's; those above stay.
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
