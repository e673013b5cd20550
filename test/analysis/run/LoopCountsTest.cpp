// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts that share their memory behave as plain vectors.

#include "analysis/run/LoopCounts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace sendwright;

TEST(LoopCounts, BehavesAsVectors) {
  std::mt19937 random(5);
  for (std::size_t loops : {1u, 16u, 17u, 128u, 129u, 2000u}) {
    std::vector<LoopCounts> counts(4, LoopCounts(loops));
    std::vector<std::vector<std::uint32_t>> expected(4, std::vector<std::uint32_t>(loops));
    for (int step = 0; step < 2000; ++step) {
      const std::size_t which = random() % 4, other = random() % 4, loop = random() % loops;
      switch (random() % 8) {
      case 0:
        counts[which] = counts[other];
        expected[which] = expected[other];
        break;
      case 1:
        counts[which].join(counts[other]);
        for (std::size_t at = 0; at < loops; ++at)
          expected[which][at] = std::max(expected[which][at], expected[other][at]);
        break;
      case 2:
        if (random() % 10 == 0) {
          counts[which].clear();
          std::fill(expected[which].begin(), expected[which].end(), 0u);
        }
        break;
      default:
        counts[which].set(loop, step);
        expected[which][loop] = step;
      }
      ASSERT_EQ(counts[which].get(loop), expected[which][loop]);
    }
    for (std::size_t which = 0; which < 4; ++which)
      for (std::size_t loop = 0; loop < loops; ++loop)
        ASSERT_EQ(counts[which].get(loop), expected[which][loop]);
  }
}
