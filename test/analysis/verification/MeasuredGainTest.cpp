// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/verification/MeasuredGain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace sendwright;

namespace {

struct Pairs {
  std::vector<double> asWritten, asPlanned;
};

/// Times with a drift over the run, noise, and now and then a disturbance of two hundred times.
Pairs drawn(std::mt19937 &random, std::size_t count, double planned) {
  std::lognormal_distribution<double> noise(0, 0.1);
  std::uniform_int_distribution<int> disturbed(0, 19);
  Pairs pairs;
  for (std::size_t pair = 0; pair < count; ++pair) {
    const double drift = 1 + double(pair) / double(count);
    const auto time = [&](double factor) {
      return 1e-3 * factor * drift * noise(random) * (disturbed(random) == 0 ? 200 : 1);
    };
    pairs.asWritten.push_back(time(1));
    pairs.asPlanned.push_back(time(planned));
  }
  return pairs;
}

TEST(MeasuredGain, OfExactTimesIsExact) {
  const std::vector<double> asWritten(8, 2.0), asPlanned(8, 1.5);
  const MeasuredGain gain = measuredGain(asWritten, asPlanned);
  EXPECT_EQ(gain.pairs, 8u);
  EXPECT_DOUBLE_EQ(gain.asWritten, 2);
  EXPECT_DOUBLE_EQ(gain.asPlanned, 1.5);
  EXPECT_NEAR(gain.percent, 25, 1e-9);
  EXPECT_NEAR(gain.lowest, 25, 1e-9);
  EXPECT_NEAR(gain.highest, 25, 1e-9);
  EXPECT_FALSE(gain.isLoss());
}

TEST(MeasuredGain, IsALossIfTheWholeIntervalIsBelowZero) {
  EXPECT_TRUE(measuredGain(std::vector<double>(8, 1.0), std::vector<double>(8, 1.1)).isLoss());
}

TEST(MeasuredGain, HasAnIntervalOfAllPairsIfThereAreFew) {
  const std::vector<double> asWritten(6, 1.0), asPlanned = {0.5, 0.6, 0.7, 0.8, 0.9, 1.1};
  const MeasuredGain gain = measuredGain(asWritten, asPlanned);
  EXPECT_NEAR(gain.highest, 50, 1e-9);
  EXPECT_NEAR(gain.lowest, -10, 1e-9);
}

/// The interval holds the truth about as often as it promises, whatever disturbs the run.
TEST(MeasuredGain, HoldsTheTruthAtItsConfidence) {
  std::mt19937 random(1);
  for (const std::size_t count : {std::size_t(10), std::size_t(40), std::size_t(1500)}) {
    int held = 0;
    const int trials = count > 1000 ? 20 : 300;
    for (int trial = 0; trial < trials; ++trial) {
      const Pairs pairs = drawn(random, count, 0.8);
      const MeasuredGain gain = measuredGain(pairs.asWritten, pairs.asPlanned);
      held += gain.lowest <= 20 && 20 <= gain.highest;
    }
    EXPECT_GE(held, trials * 9 / 10) << count;
  }
}

TEST(MeasuredGain, IsNarrowWithManyPairs) {
  std::mt19937 random(2);
  const Pairs pairs = drawn(random, 1000, 0.8);
  const MeasuredGain gain = measuredGain(pairs.asWritten, pairs.asPlanned);
  EXPECT_NEAR(gain.percent, 20, 1.5);
  EXPECT_LT(gain.highest - gain.lowest, 4);
}

} // namespace
