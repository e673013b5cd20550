// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While ranks learn and share nothing yet, they meet before some blocking collective calls. No rank
// passes anything on then, so no call needs a meeting. But sharing begins and ends at
// meetings, so there must be some. They follow from numbers on which all ranks agreed at the
// meeting before, so all ranks meet before the same calls.
//
// A program often makes some calls before its first loop: ranks meet before these, so that a loop
// without collective calls can begin to share at once, because its next call is a meeting. Once
// calls come often between messages, meetings become rare.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_QUIETMEETINGS_H
#define SENDWRIGHT_ANALYSIS_SHARING_QUIETMEETINGS_H

#include <algorithm>
#include <cstdint>

namespace sendwright {

class QuietMeetings {
public:
  /// Whether the ranks meet before the next call.
  bool meetsNext() const { return left == 0; }
  /// The next call is made without a meeting.
  void pass() { --left; }
  /// The ranks have met. `manyCalls`: since the last meeting messages were sent, but few between
  /// two calls.
  void meet(bool manyCalls) {
    if (!manyCalls && gap == 0 && ++early <= mostEarly)
      return;
    gap = gap == 0 ? firstGap : std::min(2 * gap, longestGap);
    left = gap - 1;
  }

private:
  static constexpr std::uint64_t firstGap = 12, longestGap = 64; ///< calls
  static constexpr std::uint64_t mostEarly = 4;

  std::uint64_t early = 0; ///< meetings before the first message
  std::uint64_t gap = 0;   ///< calls from the last meeting to the next; 0: the next call
  std::uint64_t left = 0;  ///< calls without a meeting
};

} // namespace sendwright

#endif
