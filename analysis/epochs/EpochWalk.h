// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs one after another, as ranges of each rank's nodes: the nodes of an epoch on one rank are
// always consecutive, for what lies between two of them is in their circle.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHWALK_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHWALK_H

#include "analysis/epochs/Epochs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sendwright {

struct NodeRange {
  std::uint32_t rank = 0;
  Node first = 0, last = 0;
};

/// The nodes of one epoch after another.
class EpochWalk {
public:
  EpochWalk(const CommunicationGraph &graph, const Epochs &epochs)
      : graph(graph), epochs(epochs), placeOf(graph.ranks(), UINT32_MAX) {}

  /// The ranges of the epoch at [begin, end) of Epochs::order. Valid until the next call. Linear in
  /// its nodes.
  const std::vector<NodeRange> &ranges(std::size_t begin, std::size_t end) {
    found.clear();
    for (std::size_t place = begin; place < end; ++place)
      graph.forEachMember(epochs.order[place] & ~Epochs::firstOfEpoch, [&](Node node) {
        const std::uint32_t rank = graph.rank(node);
        if (placeOf[rank] == UINT32_MAX) {
          placeOf[rank] = static_cast<std::uint32_t>(found.size());
          found.push_back({rank, node, node});
        }
        NodeRange &range = found[placeOf[rank]];
        range.first = std::min(range.first, node);
        range.last = std::max(range.last, node);
      });
    for (const NodeRange &range : found)
      placeOf[range.rank] = UINT32_MAX;
    return found;
  }

private:
  const CommunicationGraph &graph;
  const Epochs &epochs;
  std::vector<std::uint32_t> placeOf;
  std::vector<NodeRange> found;
};

/// True where the epoch ends when none of its messages is buffered. Epochs of several nodes do only
/// where Sendrecvs wait for one another. Linear in its nodes.
bool endsUnbuffered(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch);

} // namespace sendwright

#endif
