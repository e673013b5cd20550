// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing as data: the pattern of an exchange, a table of routes that brings each of its
// messages to its receiver in stages, and what one rank has to do of it. In a stage, all that one
// rank has for another travels as one combined message. Every way to share messages ends in a
// route table; whoever executes it need not know which.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTETABLE_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_ROUTETABLE_H

#include <cstdint>
#include <vector>

namespace sendwright {

/// What one rank has for another in one exchange.
struct PatternMessage {
  std::int32_t source = 0;
  std::int32_t destination = 0;
  std::uint64_t items = 0; ///< its size, in items of a size that the cost model is told
  bool operator==(const PatternMessage &) const = default;
};

/// Who has something for whom: by source and then destination, ascending, at most one message for a
/// pair, and none of a rank to itself.
struct ExchangePattern {
  std::int32_t ranks = 0;
  std::vector<PatternMessage> messages;
};

/// One step of a message on its way: to `target`, in `stage`.
struct Hop {
  std::int32_t stage = 0;
  std::int32_t target = 0;
  bool operator==(const Hop &) const = default;
};

/// Routes, one for each message of a pattern and in its order. The stages of a route ascend, its
/// last target is the message's destination, and no target is the rank where the message already
/// is. A message that waits through a stage has no hop in it.
struct RouteTable {
  std::int32_t stages = 0;
  std::vector<std::vector<Hop>> routes;
};

/// A combined message between this rank and `peer`: which messages of the pattern are in it, by
/// their indices, ascending. Sender and receiver see the same list.
struct Transfer {
  std::int32_t peer = 0;
  std::vector<std::uint32_t> messages;
  bool operator==(const Transfer &) const = default;
};

/// What a rank sends and receives in one stage, by peer, ascending.
struct RankStage {
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
};

/// What one rank does of a route table: an element for each stage.
using RankStages = std::vector<RankStage>;

/// Every rank's part. The table must be one that keepsRouteRules() accepts.
/// O(hops log hops) time, O(hops) memory.
std::vector<RankStages> stagesOfRanks(const ExchangePattern &pattern, const RouteTable &table);

/// Whether the table keeps what RouteTable says of it, for this pattern. O(hops).
bool keepsRouteRules(const ExchangePattern &pattern, const RouteTable &table);

/// One stage, in which every message goes to its destination. O(messages).
RouteTable directRoutes(const ExchangePattern &pattern);

} // namespace sendwright

#endif
