// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/BufferTimeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace sendwright;

namespace {

struct Interval {
  std::uint32_t after, until;
};

/// Counts the intervals at each place.
std::uint32_t peakOf(const std::vector<Interval> &intervals) {
  std::uint32_t most = 0;
  for (const Interval &at : intervals)
    most = std::max(most, static_cast<std::uint32_t>(std::count_if(
                              intervals.begin(), intervals.end(), [&](const Interval &each) {
                                return each.after < at.until && at.until <= each.until;
                              })));
  return most;
}

} // namespace

TEST(BufferTimeline, CountsAsManyAsACountAtEachPlace) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    BufferTimeline timeline;
    std::vector<Interval> intervals;
    std::uint32_t until = 0;
    const std::uint32_t longest = 1 + random() % 40;
    for (int part = 0; part < 12; ++part) {
      const bool tries = random() % 2 == 0;
      const std::vector<Interval> before = intervals;
      if (tries)
        timeline.begin();
      for (std::uint32_t added = random() % 9; added > 0; --added) {
        until += 1 + random() % 3;
        intervals.push_back(
            {until - std::min<std::uint32_t>(until, 1 + random() % longest), until});
        timeline.add(intervals.back().after, until);
      }
      if (tries && random() % 2 == 0) {
        timeline.takeBack();
        intervals = before;
        until = intervals.empty() ? 0 : intervals.back().until;
      } else if (tries) {
        timeline.keep();
      }
      ASSERT_EQ(timeline.peak(), peakOf(intervals)) << "round " << round << ", part " << part;
    }
  }
}

/// The drops before the middle become empty one after another, each in front of all empty drops. If
/// each were searched among the empty drops, this would take hours.
TEST(BufferTimeline, MillionsOfBuffersInUseBesideOneAnother) {
  constexpr std::uint32_t count = 4'000'000;
  BufferTimeline timeline;
  for (std::uint32_t number = 0; number < count; ++number)
    timeline.add(number, count + number);
  EXPECT_EQ(timeline.peak(), count);
  for (std::uint32_t number = 0; number < count / 2; ++number)
    timeline.add(count + count / 2, 2 * count + number);
  EXPECT_EQ(timeline.peak(), count);
}
