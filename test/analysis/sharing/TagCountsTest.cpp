// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/TagCounts.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sendwright {
namespace {

TEST(TagCounts, CountsEachTag) {
  TagCounts counts;
  EXPECT_EQ(counts.of(7), 0u);
  EXPECT_EQ(counts.count(7), 0u);
  EXPECT_EQ(counts.count(7), 1u);
  EXPECT_EQ(counts.count(9), 0u);
  EXPECT_EQ(counts.of(7), 2u);
  EXPECT_EQ(counts.of(8), 0u);
  EXPECT_EQ(counts.of(9), 1u);
}

TEST(TagCounts, TagsThatNumberIterationsTakeNoMoreMemory) {
  TagCounts counts;
  for (int iteration = 0; iteration < 100000; ++iteration)
    for (int direction = 0; direction < 3; ++direction)
      EXPECT_EQ(counts.count(5 + 10 * iteration + direction), 0u);
  EXPECT_LE(counts.size(), 6u);
  EXPECT_EQ(counts.of(5 + 10 * 5000 + 1), 1u);
  EXPECT_EQ(counts.of(5 + 10 * 5000 + 4), 0u);
}

TEST(TagCounts, TagsInACycleTakeNoMoreMemory) {
  TagCounts counts;
  for (std::uint32_t round = 0; round < 100; ++round)
    for (int tag = 0; tag < 1000; ++tag)
      ASSERT_EQ(counts.count(100 + tag), round);
  EXPECT_LE(counts.size(), 4u);
}

TEST(TagCounts, LargestAndSmallestTags) {
  TagCounts counts;
  for (const int tag : {2147483647, 0, 2147483646, 1, 2147483647, 0})
    counts.count(tag);
  EXPECT_EQ(counts.of(2147483647), 2u);
  EXPECT_EQ(counts.of(2147483646), 1u);
  EXPECT_EQ(counts.of(0), 2u);
  EXPECT_EQ(counts.of(1), 1u);
  EXPECT_EQ(counts.of(2), 0u);
}

TEST(TagCounts, ACountIsTakenBack) {
  TagCounts counts;
  for (int tag = 0; tag < 10; ++tag)
    counts.count(tag);
  for (const int tag : {3, 10, 3}) {
    const std::uint32_t before = counts.count(tag);
    counts.takeBack(tag);
    EXPECT_EQ(counts.of(tag), before);
    EXPECT_EQ(counts.count(tag), before);
  }
  EXPECT_EQ(counts.of(3), 3u);
  EXPECT_EQ(counts.of(4), 1u);
}

TEST(TagCounts, RandomTagsAreCountedAsInAMap) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const int range = 1 << random() % 12;
    TagCounts counts;
    std::map<int, std::uint32_t> expected;
    for (int step = 0; step < 400; ++step) {
      const int tag = random() % 4 ? step % range : static_cast<int>(random() % range);
      ASSERT_EQ(counts.count(tag), expected[tag]) << "seed " << seed;
      if (random() % 8 == 0)
        counts.takeBack(tag);
      else
        ++expected[tag];
    }
    for (int tag = -1; tag <= range; ++tag)
      ASSERT_EQ(counts.of(tag), expected.contains(tag) ? expected[tag] : 0) << "seed " << seed;
  }
}

} // namespace
} // namespace sendwright
