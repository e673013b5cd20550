// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs of neighbours that a grammar's builder has seen, keyed by the first node of each pair.
// Only the builder knows what a node is and when two pairs are equal.

#ifndef SENDWRIGHT_ANALYSIS_FILE_PAIRTABLE_H
#define SENDWRIGHT_ANALYSIS_FILE_PAIRTABLE_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sendwright {

/// An open-addressing table with linear probing, never more than half full. Each call takes O(1) on
/// average. Not thread-safe.
class PairTable {
public:
  static constexpr std::uint32_t none = UINT32_MAX; ///< means: no node

  struct Slot {
    std::uint32_t node = none;
    std::uint32_t hash = 0;
  };

  /// The slot whose node has this hash and fulfils `equal(node)`, or the free slot where it would
  /// be.
  template <typename Equal> Slot &find(std::uint32_t hash, Equal equal) {
    std::size_t at = hash & mask();
    while (slots[at].node != none && !(slots[at].hash == hash && equal(slots[at].node)))
      at = (at + 1) & mask();
    return slots[at];
  }

  /// `slot` must be a free slot from find(). Invalidates all slots.
  void insert(Slot &slot, std::uint32_t node, std::uint32_t hash) {
    slot = {node, hash};
    if (++used * 2 > slots.size())
      grow();
  }

  /// Fills the gap with later entries, so that no search stops early.
  void erase(Slot &slot) {
    std::size_t gap = static_cast<std::size_t>(&slot - slots.data());
    for (std::size_t at = (gap + 1) & mask(); slots[at].node != none; at = (at + 1) & mask()) {
      std::size_t home = slots[at].hash & mask();
      if (((at - home) & mask()) >= ((at - gap) & mask())) {
        slots[gap] = slots[at];
        gap = at;
      }
    }
    slots[gap] = {};
    --used;
  }

  /// A table that is full after so many insertions is about to grow.
  static constexpr std::size_t soon = 256;
  /// Bytes in use; of a table that is about to grow, with the one that it grows into.
  std::size_t memory() const {
    const bool isGrowing = (used + soon) * 2 > slots.size();
    return slots.capacity() * sizeof(Slot) * (isGrowing ? 3 : 1);
  }

private:
  std::size_t mask() const { return slots.size() - 1; }

  void grow() {
    std::vector<Slot> old = std::exchange(slots, std::vector<Slot>(slots.size() * 2));
    for (const Slot &slot : old)
      if (slot.node != none)
        find(slot.hash, [](std::uint32_t) { return false; }) = slot;
  }

  std::vector<Slot> slots = std::vector<Slot>(64);
  std::size_t used = 0;
};

} // namespace sendwright

#endif
