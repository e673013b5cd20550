// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/BalancedBlocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace sendwright {

namespace {

using Sizes = std::vector<std::int64_t>;

/// The least largest load, by trying every partition.
double leastByTrying(const std::vector<double> &costs, Sizes &sizes, std::size_t block,
                     std::int64_t left) {
  if (block + 1 == sizes.size()) {
    sizes[block] = left;
    return largestLoad(costs, sizes);
  }
  double least = HUGE_VAL;
  for (std::int64_t size = 0; size <= left; ++size) {
    sizes[block] = size;
    least = std::min(least, leastByTrying(costs, sizes, block + 1, left - size));
  }
  return least;
}

class RandomCosts {
public:
  explicit RandomCosts(unsigned seed) : random(seed) {}

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  }
  /// Small integers, equal costs, fractions that are rounded, and costs of very different sizes.
  std::vector<double> costs(std::size_t rows) {
    std::vector<double> made(rows);
    const std::size_t kind = below(4);
    for (double &cost : made)
      cost = kind == 0   ? static_cast<double>(below(10))
             : kind == 1 ? 0.1
             : kind == 2 ? static_cast<double>(below(1000)) / 7
                         : std::pow(10, static_cast<double>(below(12)) - 6);
    return made;
  }

private:
  std::mt19937_64 random;
};

TEST(BalancedBlocks, AreOptimal) {
  RandomCosts random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<double> costs = random.costs(random.below(12));
    Sizes sizes(1 + random.below(5)), present(sizes.size());
    for (std::int64_t &size : present)
      size = static_cast<std::int64_t>(random.below(6));
    const auto rows = static_cast<std::int64_t>(costs.size());
    const BalancedBlocks balanced =
        balancedBlocks(costs, static_cast<int>(sizes.size()), random.below(2) ? present : Sizes());
    ASSERT_EQ(balanced.sizes.size(), sizes.size());
    ASSERT_EQ(std::accumulate(balanced.sizes.begin(), balanced.sizes.end(), std::int64_t{0}), rows);
    ASSERT_GE(*std::min_element(balanced.sizes.begin(), balanced.sizes.end()), 0);
    ASSERT_EQ(balanced.largestLoad, largestLoad(costs, balanced.sizes));
    ASSERT_EQ(balanced.largestLoad, leastByTrying(costs, sizes, 0, rows));
  }
}

TEST(BalancedBlocks, OptimalBlocksStay) {
  RandomCosts random(2);
  for (int round = 0; round < 500; ++round) {
    const std::vector<double> costs = random.costs(200);
    const BalancedBlocks once = balancedBlocks(costs, 7);
    EXPECT_EQ(balancedBlocks(costs, 7, once.sizes).sizes, once.sizes);
  }
}

TEST(BalancedBlocks, LongChainsAreCutWithinTheBound) {
  RandomCosts random(3);
  for (const int blocks : {1, 2, 64, 1024}) {
    std::vector<double> costs(100000);
    for (double &cost : costs)
      cost = static_cast<double>(random.below(1000));
    const BalancedBlocks balanced = balancedBlocks(costs, blocks);
    const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
    EXPECT_GE(balanced.largestLoad, total / blocks);
    EXPECT_LE(balanced.largestLoad, total / blocks + 1000);
  }
}

TEST(BalancedBlocks, AMoveMustPay) {
  BalanceStakes stakes{10, 5, 2, 1000, 0.0005};
  EXPECT_TRUE(movePays(stakes)); // saves 1 s, costs 0.5 s
  stakes.secondsPerByte = 0.002;
  EXPECT_FALSE(movePays(stakes));
  stakes.secondsPerByte = 0;
  EXPECT_TRUE(movePays(stakes));
  stakes.loadThen = 10;
  EXPECT_FALSE(movePays(stakes));
  EXPECT_FALSE(movePays({0, 0, 2, 0, 0}));
}

} // namespace

} // namespace sendwright
