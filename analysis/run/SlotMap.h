// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank of a verified schedule knows about its slots; it may have few of very many slots.

#ifndef SENDWRIGHT_ANALYSIS_RUN_SLOTMAP_H
#define SENDWRIGHT_ANALYSIS_RUN_SLOTMAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// A number for each of some slots; open addressing in one block of memory.
class SlotMap {
public:
  /// Null if the slot has no number.
  std::uint32_t *find(std::uint32_t slot) {
    if (entries.empty())
      return nullptr;
    Entry &entry = entries[placeOf(slot)];
    return entry.slot == slot + 1 ? &entry.value : nullptr;
  }
  /// False if the slot already has a number, which stays.
  bool insert(std::uint32_t slot, std::uint32_t value) {
    if (2 * (used + 1) > entries.size())
      grow();
    Entry &entry = entries[placeOf(slot)];
    if (entry.slot == slot + 1)
      return false;
    entry = {slot + 1, value};
    ++used;
    return true;
  }
  void set(std::uint32_t slot, std::uint32_t value) {
    if (!insert(slot, value))
      entries[placeOf(slot)].value = value;
  }

private:
  struct Entry {
    std::uint32_t slot = 0; ///< the slot plus 1; 0: free
    std::uint32_t value = 0;
  };
  std::size_t placeOf(std::uint32_t slot) const {
    const std::size_t mask = entries.size() - 1;
    std::size_t place = (slot * std::size_t{0x9e3779b97f4a7c15u} >> 32) & mask;
    while (entries[place].slot != 0 && entries[place].slot != slot + 1)
      place = (place + 1) & mask;
    return place;
  }
  void grow() {
    std::vector<Entry> old(std::max<std::size_t>(8, 2 * entries.size()));
    old.swap(entries);
    for (const Entry &entry : old)
      if (entry.slot != 0)
        entries[placeOf(entry.slot - 1)] = entry;
  }
  std::vector<Entry> entries;
  std::size_t used = 0;
};

} // namespace sendwright

#endif
