// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local search for fewer combined messages. An arc is a combined message: a stage, a sender and a
// receiver. Each arc in turn is removed; what was in it goes by the cheapest other way, over arcs
// that are there and at most one new one; and the arc comes back unless that was better. Better is
// a smaller sum, over stages and ranks, of a high power of the load: sends plus receives, and the
// items in them by what they cost in comparison. A high power, because the busiest rank decides.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ARCELIMINATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_ARCELIMINATION_H

#include "analysis/cost/Machine.h"
#include "analysis/sharing/RouteTable.h"

namespace sendwright {

/// What one combined message adds to the load of its two ranks.
struct ArcWeights {
  double send = 1, receive = 1; ///< for the message
  double item = 0;              ///< for each item in it, at both ranks
};

/// Weights of arcs between nodes, whose messages weigh 1 on average, and within a node.
struct LoadWeights {
  ArcWeights between, within;
  std::int32_t ranksPerNode = 1;

  const ArcWeights &of(std::int32_t from, std::int32_t to) const {
    return from / ranksPerNode == to / ranksPerNode ? within : between;
  }
};

/// As the machine's times have it; all messages weigh 1, and items nothing, where it has none.
LoadWeights loadWeights(const Machine &machine, double bytesPerItem);

/// Improves routes; the number of stages stays. `effort` limits the ways that are looked at, so
/// that the result depends on no clock. Deterministic. Memory O(messages * stages).
RouteTable eliminateArcs(const ExchangePattern &pattern, const RouteTable &start,
                         const LoadWeights &weights, std::uint64_t effort);

} // namespace sendwright

#endif
