// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/LoopCounts.h"

#include <algorithm>

namespace sendwright {

LoopCounts::LoopCounts(std::size_t loops) {
  while (span < loops)
    span *= fanOut;
}

std::uint32_t LoopCounts::get(std::size_t loop) const {
  const Node *node = root.get();
  for (std::size_t below = span; node && below > leafSize; below /= fanOut)
    node = node->children[loop % below / (below / fanOut)].get();
  return node ? node->counts[loop % leafSize] : 0;
}

void LoopCounts::set(std::size_t loop, std::uint32_t count) {
  root = withCount(root, span, loop, count);
}

LoopCounts::Link LoopCounts::withCount(const Link &node, std::size_t span, std::size_t loop,
                                       std::uint32_t count) {
  auto changed = node ? std::make_shared<Node>(*node) : std::make_shared<Node>();
  if (span == leafSize) {
    changed->counts[loop % leafSize] = count;
  } else {
    Link &child = changed->children[loop % span / (span / fanOut)];
    child = withCount(child, span / fanOut, loop, count);
  }
  return changed;
}

void LoopCounts::join(const LoopCounts &other) { root = joined(root, other.root, span); }

LoopCounts::Link LoopCounts::joined(const Link &a, const Link &b, std::size_t span) {
  if (a == b || !b)
    return a;
  if (!a)
    return b;
  Node node;
  if (span == leafSize)
    for (std::size_t at = 0; at < leafSize; ++at)
      node.counts[at] = std::max(a->counts[at], b->counts[at]);
  else
    for (std::size_t at = 0; at < fanOut; ++at)
      node.children[at] = joined(a->children[at], b->children[at], span / fanOut);
  if (node.counts == a->counts && node.children == a->children)
    return a;
  if (node.counts == b->counts && node.children == b->children)
    return b;
  return std::make_shared<Node>(std::move(node));
}

} // namespace sendwright
