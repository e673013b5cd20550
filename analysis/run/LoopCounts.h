// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A count for each loop, which can be copied at no cost: what a rank knew when it sent a message is
// kept for every message. A tree whose nodes are shared between copies; a change copies the path to
// one leaf.

#ifndef SENDWRIGHT_ANALYSIS_RUN_LOOPCOUNTS_H
#define SENDWRIGHT_ANALYSIS_RUN_LOOPCOUNTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sendwright {

/// Copies are independent values. Not thread-safe.
class LoopCounts {
public:
  /// All counts are zero.
  explicit LoopCounts(std::size_t loops = 0);

  /// O(log loops), as set().
  std::uint32_t get(std::size_t loop) const;
  void set(std::size_t loop, std::uint32_t count);
  /// Each count becomes the larger of the two. Parts that both share, or that are zero in one of
  /// them, cost nothing. Both must be for the same number of loops.
  void join(const LoopCounts &other);
  void clear() { root = nullptr; }

private:
  static constexpr std::size_t fanOut = 8, leafSize = 16;
  struct Node;
  using Link = std::shared_ptr<const Node>;
  struct Node {
    std::array<Link, fanOut> children;            // for an inner node
    std::array<std::uint32_t, leafSize> counts{}; // for a leaf
  };
  static Link withCount(const Link &node, std::size_t span, std::size_t loop, std::uint32_t count);
  static Link joined(const Link &a, const Link &b, std::size_t span);

  std::size_t span = leafSize; ///< loops below the root: leafSize times a power of fanOut
  Link root;                   ///< null: all counts are zero; the same holds everywhere in the tree
};

} // namespace sendwright

#endif
