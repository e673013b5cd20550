// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's schedules, kept for the next time that the distributions of the same arrays change in
// the same way: the most recently used, within a small amount of memory.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_SCHEDULECACHE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_SCHEDULECACHE_H

#include "runtime/base/Process.h"
#include "runtime/redistribution/RankSchedule.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace sendwright::redistribution {

/// Identifies a schedule: a digest of everything that it depends on.
struct ScheduleKey {
  std::uint64_t low = 0, high = 0;
  bool operator==(const ScheduleKey &) const = default;
};

class ScheduleCache final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::RedistributionSchedules;

  /// The schedule with that key; compute() makes it if it is not cached. Exceptions of compute()
  /// pass through. Several threads may call it at once.
  template <typename Compute>
  std::shared_ptr<const RankSchedule> find(const ScheduleKey &key, std::uint64_t memoryBound,
                                           Compute compute) {
    const std::lock_guard lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->key == key) {
        entries.splice(entries.begin(), entries, entry);
        return entries.front().schedule;
      }
    entries.push_front({key, std::make_shared<const RankSchedule>(compute())});
    memory += entries.front().schedule->memory;
    while (entries.size() > 1 &&
           (memory > std::min(memoryBound, usualMemory) || entries.size() > mostEntries)) {
      memory -= entries.back().schedule->memory;
      entries.pop_back();
    }
    return entries.front().schedule;
  }

private:
  static constexpr std::uint64_t usualMemory = std::uint64_t(1) << 18;
  static constexpr std::size_t mostEntries = 64; ///< few, as entries are searched one by one
  struct Entry {
    ScheduleKey key;
    std::shared_ptr<const RankSchedule> schedule;
  };
  std::mutex mutex;
  std::list<Entry> entries; ///< the most recently used first
  std::uint64_t memory = 0;
};

} // namespace sendwright::redistribution

#endif
