// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing as data: the pattern of an exchange, a table of routes that brings each message
// to its receiver in stages, and one rank's part of the table. In each stage, everything that one
// rank has for another travels as one combined message. Every method of sharing produces a route
// table, and whoever executes the table need not know the method.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTETABLE_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTETABLE_H

#include <cstdint>
#include <vector>

namespace sendwright {

/// What one rank has for another in one exchange.
struct PatternMessage {
  std::int32_t source = 0;
  std::int32_t destination = 0;
  std::uint64_t items = 0; ///< its size; the cost model is told the size of an item
  bool operator==(const PatternMessage &) const = default;
};

/// Who has something for whom, ascending by source and then destination: at most one message for a
/// pair, and no message from a rank to itself.
struct ExchangePattern {
  std::int32_t ranks = 0;
  std::vector<PatternMessage> messages;
};

/// One step of a message: to `target`, in `stage`.
struct Hop {
  std::int32_t stage = 0;
  std::int32_t target = 0;
  bool operator==(const Hop &) const = default;
};

/// One route for each message of a pattern, in the pattern's order. The stages of a route ascend,
/// its last target is the message's destination, and no target is the rank where the message
/// already is. A message that waits through a stage has no hop in it.
struct RouteTable {
  std::int32_t stages = 0;
  std::vector<std::vector<Hop>> routes;
};

/// A combined message between this rank and `peer`: the indices of the pattern's messages in it,
/// ascending. Sender and receiver have the same list.
struct Transfer {
  std::int32_t peer = 0;
  std::vector<std::uint32_t> messages;
  bool operator==(const Transfer &) const = default;
};

/// What a rank sends and receives in one stage; ascending by peer.
struct RankStage {
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
};

/// One rank's part of a route table: an element for each stage.
using RankStages = std::vector<RankStage>;

/// Every rank's part. `table` must satisfy keepsRouteRules(). O(hops log hops) time, O(hops)
/// memory.
std::vector<RankStages> stagesOfRanks(const ExchangePattern &pattern, const RouteTable &table);

/// Whether the table keeps the rules of RouteTable for this pattern. O(hops).
bool keepsRouteRules(const ExchangePattern &pattern, const RouteTable &table);

/// One stage, in which every message goes to its destination. O(messages).
RouteTable directRoutes(const ExchangePattern &pattern);

} // namespace sendwright

#endif
