// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for the events of a rank whose run is imported: equal events share a number, as in
// recorded profiles.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_EVENTNUMBERS_H
#define SENDWRIGHT_ANALYSIS_TRACE_EVENTNUMBERS_H

#include "analysis/trace/ProfileCodec.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace sendwright {

class EventNumbers {
public:
  /// `rank` must outlive it; new events are appended to its list.
  explicit EventNumbers(RankProfile &rank) : rank(rank) {}

  /// The number of the event. Expected O(1).
  std::uint32_t of(const Event &event) {
    ByteWriter key;
    encodeEvent(key, event);
    const auto [place, isNew] =
        numbers.try_emplace(key.take(), static_cast<std::uint32_t>(rank.events.size()));
    if (isNew)
      rank.events.push_back(event);
    return place->second;
  }

private:
  RankProfile &rank;
  std::unordered_map<std::string, std::uint32_t> numbers; // by the event's encoding
};

} // namespace sendwright

#endif
