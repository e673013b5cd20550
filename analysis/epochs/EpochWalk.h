// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits epochs one after another, as ranges of each rank's nodes.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHWALK_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHWALK_H

#include "analysis/epochs/Epochs.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct NodeRange {
  std::uint32_t rank = 0;
  Node first = 0, last = 0;
};

class EpochWalk {
public:
  /// Both must outlive this object.
  EpochWalk(const CommunicationGraph &graph, const Epochs &epochs) : graph(graph), epochs(epochs) {}

  /// Goes on to the next epoch, initially to the first. False after the last. Linear in the epoch's
  /// parts.
  bool next() {
    if (place == epochs.parts.size())
      return false;
    own.clear();
    posted.clear();
    ++epoch;
    do {
      const EpochPart part = epochs.parts[place++];
      const Node first = part.first & ~Epochs::firstOfEpoch;
      if (first < graph.nodes())
        own.push_back({graph.rank(first), first, part.last});
      else
        posted.push_back(first - graph.nodes());
    } while (place < epochs.parts.size() && !(epochs.parts[place].first & Epochs::firstOfEpoch));
    return true;
  }

  // The current epoch; valid until the next call of next().

  /// At most one range for each rank.
  const std::vector<NodeRange> &ranges() const { return own; }
  /// The epoch's non-blocking collectives (indices into CommunicationGraph::collectives). A
  /// collective comes between the nodes that begin it and the nodes that wait for it.
  const std::vector<std::uint32_t> &postedCollectives() const { return posted; }
  /// Whether anything in the epoch waits for itself: see Epochs.
  bool circular() const { return epochs.circular[epoch]; }

private:
  const CommunicationGraph &graph;
  const Epochs &epochs;
  std::size_t place = 0, epoch = SIZE_MAX;
  std::vector<NodeRange> own;
  std::vector<std::uint32_t> posted;
};

/// True if the epoch ends although none of its messages is buffered. Epochs of several nodes do so
/// only if Sendrecvs wait for one another. Linear in the epoch's nodes.
bool endsUnbuffered(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch);

} // namespace sendwright

#endif
