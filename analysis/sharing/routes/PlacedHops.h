// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hops of all routes of a table, by the combined messages that they are part of.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_PLACEDHOPS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_PLACEDHOPS_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// A hop, with the stage, sender and receiver that identify its combined message.
struct PlacedHop {
  std::int32_t stage = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::uint32_t message = 0; ///< an index into the pattern

  bool sameTransfer(const PlacedHop &other) const {
    return stage == other.stage && from == other.from && to == other.to;
  }
};

/// All hops, by stage, sender, receiver and message. `table` must satisfy keepsRouteRules(). O(hops
/// + ranks + stages): sorted by counting.
std::vector<PlacedHop> placedHops(const ExchangePattern &pattern, const RouteTable &table);

} // namespace sendwright

#endif
