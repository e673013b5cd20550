// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree by which one rank hears of many, and tells many, without a message from or to each.
// Few children at each of several levels take less time than many at one: nodes of a level work at
// the same time.
//
// A node's number is its place. The root's is 0, and the nodes below a node have the places after
// it.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_GATHERTREE_H
#define SENDWRIGHT_ANALYSIS_SHARING_GATHERTREE_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sendwright {

class GatherTree {
public:
  /// `nodes`: at least 1.
  explicit GatherTree(std::size_t nodes)
      : nodes(nodes), arity(nodes < fewest ? std::max<std::size_t>(nodes, 2) : 4) {}

  /// Whether there are nodes between the root and others.
  bool isDeep() const { return arity < nodes; }
  /// How many messages one after the other reach the root from any node, at most.
  std::size_t levels() const {
    std::size_t count = 0;
    for (std::size_t size = 1; size < nodes; size *= arity)
      ++count;
    return count;
  }
  /// How many nodes there are at this place and below it.
  std::size_t nodesFrom(std::size_t place) const {
    return std::min(sizeFrom(place), nodes - place);
  }
  /// The place of its parent. `place`: not 0.
  std::size_t parentOf(std::size_t place) const {
    return place - place % (arity * sizeFrom(place));
  }
  /// Those with most nodes below them first: what goes there has the longest way.
  std::vector<std::size_t> childrenOf(std::size_t place) const {
    std::vector<std::size_t> children;
    for (std::size_t size = sizeFrom(place) / arity; size > 0; size /= arity)
      for (std::size_t child = place + size; child < std::min(place + arity * size, nodes);
           child += size)
        children.push_back(child);
    return children;
  }
  /// How many children the root has; no node has more.
  std::size_t mostChildren() const {
    std::size_t count = 0;
    for (std::size_t size = 1; size < nodes; size *= arity)
      count += std::min(arity - 1, (nodes - 1) / size);
    return count;
  }

private:
  static constexpr std::size_t fewest = 8; ///< nodes; of fewer all are the root's children

  /// The same as nodesFrom() in a tree without an end: a power of `arity`.
  std::size_t sizeFrom(std::size_t place) const {
    std::size_t size = 1;
    while (size < nodes && place % (arity * size) == 0)
      size *= arity;
    return size;
  }

  std::size_t nodes, arity;
};

} // namespace sendwright

#endif
