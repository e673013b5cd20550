// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weight of a combined message for the ranks at its ends, for searches that compare loads.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_LOADWEIGHTS_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_LOADWEIGHTS_H

#include "analysis/machine/Machine.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sendwright {

/// What one combined message adds to the loads of its two ranks.
struct ArcWeights {
  double send = 1, receive = 1; ///< for the message
  double item = 0;              ///< for each item in it, at both ranks
};

/// Weights of arcs within a node, and between nodes, where messages weigh 1 on average.
struct LoadWeights {
  ArcWeights between, within;
  /// What a message between nodes adds to the loads of the ports of its two nodes; nothing: nodes
  /// have none.
  std::optional<ArcWeights> atPort = {};
  Machine placement = {}; ///< says which node a rank is on

  std::int32_t node(std::int32_t rank) const {
    return static_cast<std::int32_t>(nodeOf(placement, static_cast<std::size_t>(rank)));
  }
  const ArcWeights &of(std::int32_t from, std::int32_t to) const {
    return node(from) == node(to) ? within : between;
  }
};

/// Weights by the machine's times: a message weighs its o, or g if that is longer. If the machine
/// has no such times, all messages weigh 1 and items nothing. If it says how many ranks share a
/// node but not how fast they are, messages within a node weigh a little less.
LoadWeights loadWeights(const Machine &machine, double bytesPerItem);

} // namespace sendwright

#endif
