// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks that share their blocks, compared with vectors that share nothing.

#include "analysis/epochs/graph/SparseClocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace sendwright {
namespace {

TEST(SparseClocks, ClockZeroKnowsNothing) {
  SparseClocks clocks(200);
  for (const std::uint32_t rank : {0U, 63U, 64U, 199U})
    EXPECT_EQ(clocks.get(0, rank), 0U);
}

TEST(SparseClocks, ACopyKeepsWhatItKnewWhenTheOwnerLearnsMore) {
  SparseClocks clocks(130);
  ClockId own = clocks.copy(0);
  clocks.learn(1, own, 100, 5);
  const ClockId copy = clocks.copy(own);
  clocks.learn(1, own, 100, 7);
  clocks.learn(1, own, 3, 2);
  EXPECT_EQ(clocks.get(copy, 100), 5U);
  EXPECT_EQ(clocks.get(copy, 3), 0U);
  EXPECT_EQ(clocks.get(own, 100), 7U);
  EXPECT_EQ(clocks.get(own, 3), 2U);
  EXPECT_EQ(clocks.get(0, 100), 0U);
}

TEST(SparseClocks, OldNewsIsNoNews) {
  SparseClocks clocks(10);
  ClockId own = clocks.copy(0);
  clocks.learn(1, own, 4, 9);
  clocks.learn(1, own, 4, 3);
  EXPECT_EQ(clocks.get(own, 4), 9U);
}

/// Each knows something that the other does not, in the same block.
TEST(SparseClocks, LearningAllTakesTheLargerOfEach) {
  SparseClocks clocks(10);
  ClockId first = clocks.copy(0), second = clocks.copy(0);
  clocks.learn(1, first, 4, 9);
  clocks.learn(1, first, 5, 1);
  clocks.learn(2, second, 4, 2);
  clocks.learn(2, second, 5, 8);
  clocks.learnAll(1, first, second);
  EXPECT_EQ(clocks.get(first, 4), 9U);
  EXPECT_EQ(clocks.get(first, 5), 8U);
  EXPECT_EQ(clocks.get(second, 4), 2U);
}

/// Ranks send one another what they know, messages overtake one another or are lost, and released
/// clocks are reused.
TEST(SparseClocks, KnowsWhatVectorsKnow) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const std::uint32_t ranks = 1 + random() % 200;
    SparseClocks clocks(ranks);
    using Vector = std::vector<std::uint32_t>;
    std::vector<ClockId> own(ranks);
    std::vector<Vector> expected(ranks, Vector(ranks));
    std::vector<std::pair<ClockId, Vector>> messages;
    std::vector<std::uint32_t> done(ranks);
    for (ClockId &clock : own)
      clock = clocks.copy(0);
    for (int step = 0; step < 2000; ++step) {
      const std::uint32_t rank = random() % ranks;
      clocks.learn(rank, own[rank], rank, ++done[rank]);
      expected[rank][rank] = done[rank];
      if (random() % 2 == 0) {
        messages.emplace_back(clocks.copy(own[rank]), expected[rank]);
      } else if (!messages.empty()) {
        std::swap(messages[random() % messages.size()], messages.back());
        const auto [clock, vector] = messages.back();
        messages.pop_back();
        for (std::uint32_t other = 0; other < ranks; ++other)
          ASSERT_EQ(clocks.get(clock, other), vector[other])
              << "seed " << seed << ", step " << step;
        if (random() % 8 > 0) {
          clocks.learnAll(rank, own[rank], clock);
          for (std::uint32_t other = 0; other < ranks; ++other)
            expected[rank][other] = std::max(expected[rank][other], vector[other]);
        }
        clocks.release(clock);
      }
      for (std::uint32_t other = 0; other < ranks; ++other)
        ASSERT_EQ(clocks.get(own[rank], other), expected[rank][other])
            << "seed " << seed << ", step " << step;
    }
  }
}

} // namespace
} // namespace sendwright
