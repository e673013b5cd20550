// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/MessageTree.h"

#include "analysis/machine/MessageCost.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace sendwright {

namespace {

/// All messages are the same: C grows with p, so the best split for p + 1 is that for p or a little
/// more, and one pointer that never moves back finds all splits.
TreeSplits splitEqualLoads(const MessageCost &cost, std::uint32_t ranks) {
  TreeSplits result;
  result.split.resize(std::size_t{ranks} + 1);
  std::vector<double> done(std::size_t{ranks} + 1);
  const double delivery = cost.delivery(), interval = cost.sendInterval();
  auto seconds = [&](std::uint32_t nodes, std::uint32_t given) {
    return std::max(delivery + done[given], interval + done[nodes - given]);
  };
  std::uint32_t given = 1;
  for (std::uint32_t nodes = 2; nodes <= ranks; ++nodes) {
    while (given + 1 < nodes && seconds(nodes, given + 1) <= seconds(nodes, given))
      ++given;
    result.split[nodes] = given;
    done[nodes] = seconds(nodes, given);
  }
  result.seconds = done[ranks];
  return result;
}

TreeSplits splitSubtreeLoads(const LinkParameters &link, std::uint32_t ranks, double bytes) {
  TreeSplits result;
  result.split.resize(std::size_t{ranks} + 1);
  std::vector<double> done(std::size_t{ranks} + 1);
  std::vector<MessageCost> costs(std::size_t{ranks} + 1);
  for (std::uint32_t nodes = 1; nodes <= ranks; ++nodes)
    costs[nodes] = messageCost(link, bytes * nodes);
  for (std::uint32_t nodes = 2; nodes <= ranks; ++nodes) {
    done[nodes] = std::numeric_limits<double>::infinity();
    for (std::uint32_t given = 1; given < nodes; ++given) {
      const double child = costs[given].delivery() + done[given];
      if (child >= done[nodes])
        break; // it only grows with `given`
      const double seconds = std::max(child, costs[given].sendInterval() + done[nodes - given]);
      if (seconds < done[nodes]) {
        done[nodes] = seconds;
        result.split[nodes] = given;
      }
    }
  }
  result.seconds = done[ranks];
  return result;
}

} // namespace

TreeSplits optimalTree(const LinkParameters &link, std::uint32_t ranks, double bytes,
                       TreeLoad load) {
  return load == TreeLoad::Same ? splitEqualLoads(messageCost(link, bytes), ranks)
                                : splitSubtreeLoads(link, ranks, bytes);
}

TreeSplits optimalGatherTree(const LinkParameters &link, std::uint32_t ranks, double bytes,
                             TreeLoad load) {
  LinkParameters backwards = link;
  std::swap(backwards.o_send, backwards.o_recv);
  std::swap(backwards.O, backwards.O_recv);
  if (backwards.large) {
    std::swap(backwards.large->o_send, backwards.large->o_recv);
    std::swap(backwards.large->O, backwards.large->O_recv);
  }
  return optimalTree(backwards, ranks, bytes, load);
}

std::vector<TreeEdge> treeEdges(const TreeSplits &splits, std::uint32_t ranks) {
  std::vector<TreeEdge> edges;
  edges.reserve(ranks - 1);
  struct Node {
    std::uint32_t first, size;
  };
  // Each node gives away the end of its range until it is alone.
  std::vector<Node> nodes{{0, ranks}};
  while (!nodes.empty()) {
    Node node = nodes.back();
    nodes.pop_back();
    while (node.size > 1) {
      const std::uint32_t given = splits.split[node.size];
      node.size -= given;
      edges.push_back({node.first, node.first + node.size, given});
      nodes.push_back({node.first + node.size, given});
    }
  }
  return edges;
}

std::vector<TreeEdge> binomialEdges(std::uint32_t ranks) {
  TreeSplits splits;
  splits.split.resize(std::size_t{ranks} + 1);
  for (std::uint32_t nodes = 2; nodes <= ranks; ++nodes)
    splits.split[nodes] = nodes - std::bit_floor(nodes - 1);
  return treeEdges(splits, ranks);
}

std::vector<TreeEdge> fourNomialEdges(std::uint32_t ranks) {
  std::vector<TreeEdge> edges;
  std::uint32_t stride = 1;
  while (stride < ranks && stride <= UINT32_MAX / 4)
    stride *= 4;
  for (stride /= 4; stride > 0; stride /= 4)
    for (std::uint32_t parent = 0; parent < ranks; parent += 4 * stride)
      for (std::uint32_t child = 1; child < 4 && parent + child * stride < ranks; ++child)
        edges.push_back(
            {parent, parent + child * stride, std::min(stride, ranks - parent - child * stride)});
  return edges;
}

std::vector<TreeEdge> binaryEdges(std::uint32_t ranks) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t child = 1; child < ranks; ++child)
    edges.push_back({(child - 1) / 2, child, 0});
  return edges;
}

} // namespace sendwright
