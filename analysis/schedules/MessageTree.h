// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees along which a message spreads from a root or is gathered to it: binomial trees, and the
// best trees under LogGP, found by dynamic programming.
//
// A node that has the message sends it to one child after another, and each child does the same.
// When a node with p nodes to serve (itself included) gives s of them to its next child, that
// subtree is done T + C(s) later, and the node goes on with p - s nodes after the interval h
// between two sends. The best s has the least max(T + C(s), h + C(p - s)) = C(p). The resulting
// trees have a higher fan-out near the root, as R. Karp, A. Sahay, E. Santos and K. Schauser found
// ("Optimal broadcast and summation in the LogP model", 1993). In a scatter T and h grow with s.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_MESSAGETREE_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_MESSAGETREE_H

#include "analysis/machine/Machine.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// How nodes split: split[p] is the size of the next child's subtree when p nodes are left, the
/// node itself included. Entries from 2 on are valid; 1 <= split[p] < p.
struct TreeSplits {
  std::vector<std::uint32_t> split;
  double seconds = 0; ///< until the last node has the message
};

/// Whether all messages are the same, or each carries the data of its whole subtree.
enum class TreeLoad : std::uint8_t { Same, Subtree };

/// The fastest tree for `ranks` nodes and `bytes` bytes each. Linear for TreeLoad::Same; O(ranks^2)
/// for Subtree.
TreeSplits optimalTree(const LinkParameters &link, std::uint32_t ranks, double bytes,
                       TreeLoad load);
/// The same for a gather, from the leaves to the root: the two overheads are swapped.
TreeSplits optimalGatherTree(const LinkParameters &link, std::uint32_t ranks, double bytes,
                             TreeLoad load);

/// An edge of a tree over nodes 0 .. ranks - 1 with root 0. The subtree of `child` holds the nodes
/// child .. child + size - 1.
struct TreeEdge {
  std::uint32_t parent = 0, child = 0, size = 0;
};

/// Edges ordered so that every node's edge to its parent comes before its edges to children, and
/// these come in the order of sending. Linear.
std::vector<TreeEdge> treeEdges(const TreeSplits &splits, std::uint32_t ranks);
/// The binomial tree: a node with p nodes to serve gives away p - 2^k of them, with the largest 2^k
/// < p, so nodes whose numbers differ in one bit are neighbours.
std::vector<TreeEdge> binomialEdges(std::uint32_t ranks);
/// Like a binomial tree, with three children in each level: a node with p nodes to serve, itself
/// included, gives 4^k nodes to each of up to three children, with the largest 4^k < p, then goes
/// on with 4^(k-1), and so on.
std::vector<TreeEdge> fourNomialEdges(std::uint32_t ranks);
/// Node i has the children 2i + 1 and 2i + 2. A subtree's nodes are not consecutive, so TreeEdge's
/// size is 0.
std::vector<TreeEdge> binaryEdges(std::uint32_t ranks);

} // namespace sendwright

#endif
