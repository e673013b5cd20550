// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/MeasuredBalance.h"

#include "analysis/redistribution/BalancedBlocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace sendwright {

namespace {

using Sizes = std::vector<std::int64_t>;

Sizes equalBlocks(std::int64_t rows, int processors) {
  Sizes sizes;
  for (int i = 0; i < processors; ++i)
    sizes.push_back(rows * (i + 1) / processors - rows * i / processors);
  return sizes;
}

std::vector<RowRange> ownersOf(const Sizes &sizes) {
  std::vector<RowRange> owners;
  std::int64_t row = 0;
  for (std::size_t i = 0; i < sizes.size(); row += sizes[i++])
    owners.push_back({row, row + sizes[i], i});
  return owners;
}

std::vector<double> loadsOf(const std::vector<double> &costs, const Sizes &sizes) {
  std::vector<double> loads;
  for (const RowRange &range : ownersOf(sizes))
    loads.push_back(std::accumulate(costs.begin() + range.begin, costs.begin() + range.end, 0.0));
  return loads;
}

/// The most rows that a processor loses or gains.
std::int64_t busiestPort(const Sizes &before, std::span<const std::int64_t> after) {
  const std::vector<RowRange> from = ownersOf(before), to = ownersOf({after.begin(), after.end()});
  std::int64_t most = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int64_t kept = std::max<std::int64_t>(0, std::min(from[i].end, to[i].end) -
                                                            std::max(from[i].begin, to[i].begin));
    most = std::max({most, from[i].end - from[i].begin - kept, to[i].end - to[i].begin - kept});
  }
  return most;
}

/// A run whose blocks follow what its processors compute.
class MeasuredRun {
public:
  MeasuredRun(std::int64_t rows, int processors, double secondsPerRow, double meeting = 0)
      : first(equalBlocks(rows, processors)), sizes(first), secondsPerRow(secondsPerRow),
        meeting(meeting), balance(rows, processors) {}

  /// A period with these costs of rows.
  MeasuredChoice period(const std::vector<double> &costs) {
    const std::vector<double> loads = loadsOf(costs, sizes);
    seconds += *std::max_element(loads.begin(), loads.end());
    const std::vector<double> equal = loadsOf(costs, first);
    asEqual += *std::max_element(equal.begin(), equal.end());
    if (since.empty())
      since.resize(loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i)
      since[i] += loads[i];
    ++directives;
    if (pass > 0) {
      --pass;
      return {};
    }
    const MeasuredChoice choice = meet();
    if (choice.moves) {
      seconds += static_cast<double>(choice.bytes) * secondsPerRow;
      price = secondsPerRow;
      ++moves;
    }
    sizes = choice.sizes;
    return choice;
  }

  Sizes first, sizes;
  double seconds = 0, asEqual = 0;
  int moves = 0, meetings = 0;

private:
  MeasuredChoice meet() {
    const std::vector<RowRange> owners = ownersOf(sizes);
    MeasuredPeriod period{owners, since, sizes, directives, meeting, price, {}};
    period.bytes = [&](std::span<const std::int64_t> to) { return busiestPort(sizes, to); };
    const MeasuredChoice choice = balance.after(period);
    since.clear();
    directives = 0;
    pass = choice.pass;
    seconds += meeting;
    ++meetings;
    return choice;
  }

  double secondsPerRow, meeting, price = 0;
  MeasuredBalance balance;
  std::vector<double> since;
  unsigned directives = 0, pass = 0;
};

std::vector<double> hotSpot(std::size_t rows, std::size_t at, std::size_t length) {
  std::vector<double> costs(rows, 1e-5);
  std::fill_n(costs.begin() + static_cast<std::ptrdiff_t>(at), length, 1e-3);
  return costs;
}

TEST(MeasuredBalance, FindsTheRowsOfALoadThatStays) {
  MeasuredRun run(640, 16, 1e-6);
  const std::vector<double> costs = hotSpot(640, 200, 16);
  for (int i = 0; i < 40; ++i)
    run.period(costs);
  const std::vector<double> loads = loadsOf(costs, run.sizes);
  const double best = balancedBlocks(costs, 16).largestLoad;
  EXPECT_LE(*std::max_element(loads.begin(), loads.end()), 1.5 * best);
  EXPECT_LT(run.seconds, run.asEqual / 3);
}

TEST(MeasuredBalance, CostsOfRowsSumToWhatWasMeasured) {
  MeasuredBalance balance(10, 2);
  const Sizes sizes = {4, 6};
  const std::vector<RowRange> owners = ownersOf(sizes);
  const std::vector<double> seconds = {1, 3};
  MeasuredPeriod period{owners, seconds, sizes, 1, 0, 0, {}};
  period.bytes = [](std::span<const std::int64_t>) { return 1; };
  balance.after(period);
  const std::span<const double> costs = balance.costs();
  EXPECT_NEAR(std::accumulate(costs.begin(), costs.begin() + 4, 0.0), 1, 1e-12);
  EXPECT_NEAR(std::accumulate(costs.begin() + 4, costs.end(), 0.0), 3, 1e-12);
}

TEST(MeasuredBalance, KeepsWhatItKnowsOfRowsWhereTheyMoved) {
  MeasuredBalance balance(8, 2);
  const auto after = [&](const Sizes &sizes, std::vector<double> seconds) {
    const std::vector<RowRange> owners = ownersOf(sizes);
    MeasuredPeriod period{owners, seconds, sizes, 1, 0, 0, {}};
    period.bytes = [](std::span<const std::int64_t>) { return 1 << 30; };
    balance.after(period);
  };
  after({4, 4}, {4, 40});
  after({6, 2}, {24, 20}); // the costs of the first four rows were measured apart
  const std::span<const double> costs = balance.costs();
  EXPECT_LT(costs[1], 2);
  EXPECT_GT(costs[5], 8);
}

TEST(MeasuredBalance, MovesNothingForALoadThatIsElsewhereEachTime) {
  std::mt19937 random(1);
  MeasuredRun run(640, 16, 1e-4);
  for (int i = 0; i < 2000; ++i)
    run.period(hotSpot(640, random() % 620, 20));
  EXPECT_LE(run.seconds, 1.01 * run.asEqual);
}

TEST(MeasuredBalance, LosesLittleToALoadThatLeavesAfterEachMove) {
  for (const int dwell : {2, 3, 5, 8}) {
    std::mt19937 random(2);
    MeasuredRun run(640, 16, 1e-4);
    std::size_t at = 0;
    for (int i = 0; i < 5000; ++i) {
      if (i % dwell == 0)
        at = random() % 620;
      run.period(hotSpot(640, at, 20));
    }
    EXPECT_LE(run.seconds, 1.01 * run.asEqual) << dwell;
  }
}

TEST(MeasuredBalance, FollowsALoadThatDrifts) {
  MeasuredRun run(640, 16, 1e-5);
  for (int i = 0; i < 3000; ++i)
    run.period(hotSpot(640, static_cast<std::size_t>(i) / 5, 20));
  EXPECT_LT(run.seconds, run.asEqual / 2);
}

TEST(MeasuredBalance, EqualRowsStayWhereTheyAre) {
  std::mt19937 random(3);
  MeasuredRun run(640, 16, 1e-4, 1e-4);
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> costs(640, 1e-4);
    for (double &cost : costs) // times vary by half a per cent
      cost *= 1 + 0.01 * (static_cast<double>(random()) / 4294967296.0 - 0.5);
    run.period(costs);
  }
  EXPECT_EQ(run.moves, 0);
  EXPECT_LE(run.seconds, 1.01 * run.asEqual); // although a meeting takes a fortieth of a period
  EXPECT_LT(run.meetings, 500);
}

TEST(MeasuredBalance, AMoveThatCostsMoreThanItSavesIsPutOff) {
  MeasuredRun dear(640, 16, 1), cheap(640, 16, 1e-7);
  const std::vector<double> costs = hotSpot(640, 200, 16);
  for (int i = 0; i < 12; ++i) {
    dear.period(costs);
    cheap.period(costs);
  }
  EXPECT_LE(dear.moves, 1); // the first one, whose price nobody knew
  EXPECT_GT(cheap.moves, 1);
}

TEST(MeasuredBalance, GoesBackWhereFollowingLost) {
  MeasuredRun run(64, 4, 1e-6);
  for (int i = 0; i < 10; ++i)
    run.period(hotSpot(64, 0, 4));
  EXPECT_NE(run.sizes, run.first);
  std::mt19937 random(4);
  int first = 0;
  for (int i = 0; i < 200; ++i) { // now every row costs the same, but for one row at a time
    run.period(hotSpot(64, random() % 64, 1));
    first += run.sizes == run.first;
  }
  EXPECT_GT(first, 0);
}

TEST(MeasuredBalance, WithoutATimeNothingMoves) {
  MeasuredRun run(64, 4, 1e-6);
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(run.period(std::vector<double>(64, 0.0)).moves);
  EXPECT_EQ(run.sizes, run.first);
}

TEST(MeasuredBalance, RowsThatAreNoBlocksBecomeBlocks) {
  MeasuredBalance balance(8, 2);
  std::vector<RowRange> owners;
  for (std::int64_t row = 0; row < 8; ++row)
    owners.push_back({row, row + 1, static_cast<std::size_t>(row % 2)});
  const std::vector<double> seconds = {3, 1};
  MeasuredPeriod period{owners, seconds, {}, 1, 0, 0, {}};
  period.bytes = [](std::span<const std::int64_t>) { return 3; };
  const MeasuredChoice choice = balance.after(period);
  EXPECT_TRUE(choice.moves);
  EXPECT_EQ(choice.bytes, 3);
  EXPECT_EQ(std::accumulate(choice.sizes.begin(), choice.sizes.end(), std::int64_t(0)), 8);
}

TEST(MeasuredBalance, OtherProcessorsBeginWithWhatRowsCost) {
  MeasuredBalance balance(8, 2);
  const Sizes sizes = {2, 6};
  const std::vector<RowRange> owners = ownersOf(sizes);
  const std::vector<double> seconds = {6, 6};
  MeasuredPeriod period{owners, seconds, sizes, 1, 0, 0, {}};
  period.bytes = [](std::span<const std::int64_t>) { return 0; };
  balance.learn(period);
  balance.moveOnto(4);
  EXPECT_EQ(balance.processors(), 4U);
  EXPECT_EQ(balancedBlocks(balance.costs(), 4).sizes.size(), 4U);
  EXPECT_GT(balance.costs()[0], balance.costs()[7]);
}

TEST(MeasuredBalance, NoRowsAreLeftAlone) {
  MeasuredRun run(0, 3, 1);
  EXPECT_FALSE(run.period({}).moves);
}

} // namespace

} // namespace sendwright
