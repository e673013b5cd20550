// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While learning only watches, ranks meet before some collective calls of all ranks. There any rank
// says whether it has found messages that are worth sharing. A meeting costs as much as a
// reduction of a few numbers, so there are few: their number grows with the logarithm of the number
// of calls. A change comes at the latest when a program has made four times as many calls as when
// it became worth it, and later twice as many.
//
// All ranks make the same calls, and agree at each meeting; so all meet before the same calls.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_WATCHMEETINGS_H
#define SENDWRIGHT_ANALYSIS_SHARING_WATCHMEETINGS_H

#include <algorithm>
#include <cstdint>

namespace sendwright {

class WatchMeetings {
public:
  /// The ranks have begun so many calls. Whether they meet before the next.
  bool meetsNext(std::uint64_t calls) const { return calls >= next; }
  /// They have met before the call after so many. `inVain`: some rank wants to share, but messages
  /// are under way; at another call of an iteration they may not be. `wanted`: after how many calls
  /// more some rank may want to share, as far as that is known; 0: none may.
  void meet(std::uint64_t calls, bool inVain, std::uint64_t wanted) {
    if (inVain && ++failures < mostFailures) {
      next = calls + 1 + failures % 4;
      return;
    }
    if (inVain)
      mostFailures = mostLaterFailures;
    failures = 0;
    const std::uint64_t later = calls < 2 * first ? 4 * first : 2 * calls;
    if (wanted != 0) {
      ++waits;
      wanted = std::min(wanted, later - calls);
      next = calls + (waits < mostWaits ? wanted : wanted << std::min(waits - mostWaits + 1, 32U));
      next = std::min(next, later);
      return;
    }
    waits = 0;
    next = later;
  }
  /// They watch again after so many calls.
  void restart(std::uint64_t calls) {
    failures = waits = 0;
    next = calls + (calls < first ? first : calls);
  }
  /// For `wanted`: ranks have proposed messages, but no answer is known yet.
  static constexpr std::uint64_t soon = 8;

private:
  static constexpr std::uint64_t first = 16; ///< calls
  static constexpr unsigned mostLaterFailures = 4, mostWaits = 4;
  std::uint64_t next = first;
  unsigned failures = 0, mostFailures = 16, waits = 0; ///< in a row
};

} // namespace sendwright

#endif
