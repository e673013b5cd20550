// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree by which one rank hears of many, and tells many, without a message from or to each: the
// square root of their number are its children, and as many are below each of these. Each further
// level would take one more execution of the loop that ranks learn, at the end of which they look
// for messages.
//
// Nodes are places from 0, which is the root. Those below a place follow it.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_GATHERTREE_H
#define SENDWRIGHT_ANALYSIS_SHARING_GATHERTREE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sendwright {

class GatherTree {
public:
  /// Of so many nodes, at least one.
  explicit GatherTree(std::size_t nodes)
      : nodes(nodes),
        group(nodes < fewest
                  ? nodes
                  : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(nodes))))) {}

  /// Whether there are nodes between the root and others.
  bool isDeep() const { return group < nodes; }
  /// How many nodes there are at this place and below it.
  std::size_t nodesFrom(std::size_t place) const {
    if (place == 0)
      return nodes;
    return place % group == 0 ? std::min(group, nodes - place) : 1;
  }
  /// Of a place other than 0.
  std::size_t parentOf(std::size_t place) const {
    return place % group == 0 ? 0 : place - place % group;
  }
  /// Those with most nodes below them first.
  std::vector<std::size_t> childrenOf(std::size_t place) const {
    std::vector<std::size_t> children;
    if (place == 0)
      for (std::size_t first = group; first < nodes; first += group)
        children.push_back(first);
    if (place % group == 0)
      for (std::size_t next = place + 1; next < std::min(place + group, nodes); ++next)
        children.push_back(next);
    return children;
  }
  /// How many children the root has; no node has more.
  std::size_t mostChildren() const { return group - 1 + (nodes - 1) / group; }

private:
  static constexpr std::size_t fewest = 8; ///< nodes; of fewer all are the root's children

  std::size_t nodes, group;
};

} // namespace sendwright

#endif
