// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/LoadHistory.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

namespace sendwright {
namespace {

double sumOf(const LoadPeriod &period) {
  double sum = 0;
  for (const RowsLoad &part : period.rows)
    sum += part.seconds;
  return sum;
}

/// Seconds of a row, from all parts.
double secondsAt(const LoadPeriod &period, std::int64_t row) {
  for (const RowsLoad &part : period.rows)
    if (part.begin <= row && row < part.end)
      return part.seconds / static_cast<double>(part.end - part.begin);
  return 0;
}

TEST(LoadHistory, SpreadsEvenlyWithoutCosts) {
  const LoadPeriod period = loadPeriod(5, 4, 2, {}, 7);
  EXPECT_EQ(period.rows, (std::vector<RowsLoad>{{5, 9, 2}}));
  EXPECT_EQ(period.moved, 7U);
  EXPECT_TRUE(loadPeriod(5, 0, 2, {}, 0).rows.empty());
  const double zero[] = {0, 0};
  EXPECT_EQ(loadPeriod(1, 2, 3, zero, 0).rows, (std::vector<RowsLoad>{{1, 3, 3}}));
  EXPECT_EQ(loadPeriod(1, 2, NAN, {}, 0).rows, (std::vector<RowsLoad>{{1, 3, 0}}));
  EXPECT_EQ(loadPeriod(1, 2, -1, {}, 0).rows, (std::vector<RowsLoad>{{1, 3, 0}}));
}

TEST(LoadHistory, FollowsCosts) {
  const double costs[] = {1, 1, 6, 0};
  EXPECT_EQ(loadPeriod(10, 4, 4, costs, 0).rows,
            (std::vector<RowsLoad>{{10, 12, 1}, {12, 13, 3}, {13, 14, 0}}));
}

TEST(LoadHistory, KeepsTheSumOfManyParts) {
  std::mt19937 random(1);
  std::vector<double> costs(1000);
  for (double &cost : costs)
    cost = static_cast<double>(random() % 1000);
  const LoadPeriod period = loadPeriod(0, 1000, 5, costs, 0);
  EXPECT_LE(period.rows.size(), mostLoadedParts);
  EXPECT_EQ(period.rows.front().begin, 0);
  EXPECT_EQ(period.rows.back().end, 1000);
  EXPECT_NEAR(sumOf(period), 5, 1e-12);
}

TEST(LoadHistory, JoinsPeriodsRowByRow) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    LoadPeriod periods[2];
    for (LoadPeriod &period : periods) {
      const auto below = [&](unsigned bound) {
        return static_cast<std::int64_t>(random() % bound);
      };
      std::int64_t at = below(5);
      for (std::int64_t parts = below(6); parts > 0; --parts) {
        const std::int64_t end = at + 1 + below(4);
        period.rows.push_back({at, end, static_cast<double>(below(9))});
        at = end + below(3);
      }
      period.moved = random() % 9;
    }
    const LoadPeriod both = joined(periods[0], periods[1]);
    EXPECT_EQ(both.moved, periods[0].moved + periods[1].moved);
    for (std::int64_t row = 0; row < 60; ++row)
      EXPECT_NEAR(secondsAt(both, row), secondsAt(periods[0], row) + secondsAt(periods[1], row),
                  1e-12);
    for (std::size_t part = 1; part < both.rows.size(); ++part)
      EXPECT_LE(both.rows[part - 1].end, both.rows[part].begin);
  }
}

TEST(LoadHistory, IsBoundedHoweverLongTheRun) {
  for (const std::uint64_t executions : {1ULL, 63ULL, 64ULL, 65ULL, 66ULL, 1000ULL, 12345ULL}) {
    RecordedLoad load;
    for (std::uint64_t at = 0; at < executions; ++at)
      addPeriod(load, loadPeriod(static_cast<std::int64_t>(at % 7), 3, 1, {}, 2));
    EXPECT_EQ(load.executions, executions);
    EXPECT_LE(load.periods.size(), mostLoadPeriods);
    EXPECT_EQ(load.periods.size(), (executions + load.executionsEach - 1) / load.executionsEach);
    double seconds = 0;
    std::uint64_t moved = 0;
    for (const LoadPeriod &period : load.periods) {
      seconds += sumOf(period);
      moved += period.moved;
    }
    EXPECT_NEAR(seconds, static_cast<double>(executions), 1e-6);
    EXPECT_EQ(moved, 2 * executions);
  }
}

} // namespace
} // namespace sendwright
