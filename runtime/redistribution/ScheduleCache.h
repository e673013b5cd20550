// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules of this rank, kept for the next time the same arrays' distributions change in the same
// way: the latest used, as far as a little memory reaches.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_SCHEDULECACHE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_SCHEDULECACHE_H

#include "runtime/redistribution/RankSchedule.h"

#include <cstdint>
#include <list>

namespace sendwright::redistribution {

/// What a schedule is of: a digest of all that it depends on.
struct ScheduleKey {
  std::uint64_t low = 0, high = 0;
  bool operator==(const ScheduleKey &) const = default;
};

class ScheduleCache {
public:
  /// The schedule of that key, as compute() makes it where it is not known. Valid until the next
  /// call. Exceptions of compute() pass through.
  template <typename Compute> const RankSchedule &find(const ScheduleKey &key, Compute compute) {
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->key == key) {
        entries.splice(entries.begin(), entries, entry);
        return entries.front().schedule;
      }
    entries.push_front({key, compute()});
    memory += entries.front().schedule.memory;
    while (entries.size() > 1 && (memory > mostMemory || entries.size() > mostEntries)) {
      memory -= entries.back().schedule.memory;
      entries.pop_back();
    }
    return entries.front().schedule;
  }

  /// Keeps the latest at most, where its memory is not within `bound` bytes.
  void limit(std::uint64_t bound) { mostMemory = bound < usualMemory ? bound : usualMemory; }
  void clear() { entries.clear(), memory = 0; }

private:
  static constexpr std::uint64_t usualMemory = std::uint64_t(1) << 18;
  static constexpr std::size_t mostEntries = 64; ///< they are searched one by one
  struct Entry {
    ScheduleKey key;
    RankSchedule schedule;
  };
  std::list<Entry> entries; ///< the latest used first
  std::uint64_t memory = 0, mostMemory = usualMemory;
};

} // namespace sendwright::redistribution

#endif
