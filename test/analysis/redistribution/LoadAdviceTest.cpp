// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would have been best for loads that were measured, against trying everything.

#include "analysis/redistribution/LoadAdvice.h"

#include "analysis/redistribution/LoadHistory.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace sendwright {
namespace {

using Costs = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

/// Moving costs nothing but `latency` for each directive, and `perByte`.
Machine machineOf(double latency, double perByte) {
  Machine machine;
  machine.between = {};
  machine.between.L = latency;
  machine.between.G = perByte;
  return machine;
}

/// A run in which the rows of each period had these costs, on blocks of these sizes.
ArrayLoads runOf(const std::vector<Costs> &periods, const Sizes &sizes, std::uint64_t rowBytes) {
  ArrayLoads loads;
  loads.array = "A";
  loads.rows = static_cast<std::int64_t>(periods.front().size());
  loads.rowBytes = rowBytes;
  loads.processors = static_cast<int>(sizes.size());
  loads.executions = periods.size();
  for (const Costs &costs : periods) {
    ArrayPeriod &period = loads.periods.emplace_back();
    std::int64_t begin = 0;
    for (const std::int64_t size : sizes) {
      double load = 0;
      for (std::int64_t row = begin; row < begin + size; ++row) {
        const double cost = costs[static_cast<std::size_t>(row)];
        period.rows.push_back({row, row + 1, cost});
        load += cost;
      }
      period.largest = std::max(period.largest, load);
      begin += size;
    }
  }
  return loads;
}

/// Calls visit(sizes) for every partition.
template <typename Visit> void forEachPartition(std::int64_t rows, int blocks, Visit visit) {
  Sizes sizes(static_cast<std::size_t>(blocks));
  const auto fill = [&](auto &self, std::size_t block, std::int64_t left) -> void {
    if (block + 1 == sizes.size()) {
      sizes[block] = left;
      return visit(sizes);
    }
    for (std::int64_t size = 0; size <= left; ++size) {
      sizes[block] = size;
      self(self, block + 1, left - size);
    }
  };
  fill(fill, 0, rows);
}

double largestOf(const Costs &costs, const Sizes &sizes) {
  double largest = 0;
  std::size_t row = 0;
  for (const std::int64_t size : sizes) {
    double load = 0;
    for (std::int64_t at = 0; at < size; ++at)
      load += costs[row++];
    largest = std::max(largest, load);
  }
  return largest;
}

double leastOf(const Costs &costs, int blocks) {
  double least = HUGE_VAL;
  forEachPartition(static_cast<std::int64_t>(costs.size()), blocks,
                   [&](const Sizes &sizes) { least = std::min(least, largestOf(costs, sizes)); });
  return least;
}

std::uint64_t bytesBetween(const Sizes &from, const Sizes &to, std::uint64_t rowBytes) {
  std::vector<std::size_t> before, after;
  for (std::size_t block = 0; block < from.size(); ++block) {
    before.insert(before.end(), static_cast<std::size_t>(from[block]), block);
    after.insert(after.end(), static_cast<std::size_t>(to[block]), block);
  }
  std::uint64_t most = 0;
  for (std::size_t block = 0; block < from.size(); ++block) {
    std::uint64_t sent = 0, received = 0;
    for (std::size_t row = 0; row < before.size(); ++row) {
      sent += before[row] == block && after[row] != block;
      received += before[row] != block && after[row] == block;
    }
    most = std::max({most, sent, received});
  }
  return most * rowBytes;
}

Costs randomCosts(std::mt19937 &random, std::size_t rows) {
  Costs costs(rows);
  for (double &cost : costs)
    cost = static_cast<double>(random() % 20U);
  return costs;
}

/// Blocks of a period, from advice.
const Sizes &sizesAt(const LoadAdvice &advice, std::uint64_t period) {
  std::size_t at = 0;
  while (at + 1 < advice.blocks.size() && advice.blocks[at + 1].execution <= period)
    ++at;
  return advice.blocks[at].sizes;
}

TEST(LoadAdvice, FindsTheBestSizesOfALoadThatStays) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + random() % 8, periods = 1 + random() % 4;
    const int blocks = 1 + static_cast<int>(random() % 4);
    const Costs costs = randomCosts(random, rows);
    std::vector<Costs> all;
    double least = 0;
    for (std::size_t period = 0; period < periods; ++period) {
      all.push_back(costs);
      for (double &cost : all.back())
        cost *= static_cast<double>(period + 1);
      least += leastOf(all.back(), blocks);
    }
    Sizes first(static_cast<std::size_t>(blocks));
    first.front() = static_cast<std::int64_t>(rows);
    const LoadAdvice advice = adviseBlocks(runOf(all, first, 8), machineOf(1e-3, 1e-9));
    EXPECT_NEAR(advice.best, least, 1e-9 * (1 + least));
    EXPECT_EQ(advice.interval, periods);
    ASSERT_EQ(advice.blocks.size(), 1U);
    EXPECT_EQ(advice.blocks.front().execution, 0U);
    EXPECT_GE(advice.asRun, advice.best - 1e-9);
    EXPECT_LE(advice.evenly, advice.best + 1e-9);
  }
}

TEST(LoadAdvice, FollowsALoadThatChangesWhereMovesAreFree) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 2 + random() % 6, periods = 1 + random() % 5;
    const int blocks = 1 + static_cast<int>(random() % 3);
    std::vector<Costs> all;
    double least = 0;
    for (std::size_t period = 0; period < periods; ++period) {
      all.push_back(randomCosts(random, rows));
      least += leastOf(all.back(), blocks);
    }
    Sizes first(static_cast<std::size_t>(blocks));
    first.back() = static_cast<std::int64_t>(rows);
    const LoadAdvice advice = adviseBlocks(runOf(all, first, 8), machineOf(0, 0));
    EXPECT_NEAR(advice.best, least, 1e-9 * (1 + least));
  }
}

/// The least that any blocks in any periods would have taken, by trying all.
double leastOfAll(const std::vector<Costs> &all, int blocks, std::uint64_t rowBytes,
                  const Machine &machine) {
  std::vector<Sizes> partitions;
  forEachPartition(static_cast<std::int64_t>(all.front().size()), blocks,
                   [&](const Sizes &sizes) { partitions.push_back(sizes); });
  std::vector<double> best(partitions.size()), next(partitions.size());
  for (std::size_t to = 0; to < partitions.size(); ++to)
    best[to] = largestOf(all.front(), partitions[to]);
  for (std::size_t period = 1; period < all.size(); ++period) {
    for (std::size_t to = 0; to < partitions.size(); ++to) {
      next[to] = HUGE_VAL;
      for (std::size_t from = 0; from < partitions.size(); ++from) {
        const double move =
            from == to ? 0
                       : directiveSeconds(machine, blocks,
                                          bytesBetween(partitions[from], partitions[to], rowBytes));
        next[to] = std::min(next[to], best[from] + move);
      }
      next[to] += largestOf(all[period], partitions[to]);
    }
    best = next;
  }
  return *std::min_element(best.begin(), best.end());
}

TEST(LoadAdvice, IsNearTheBestOfAllWhereMovesCost) {
  std::mt19937 random(3);
  double sumOfRatios = 0;
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t rows = 2 + random() % 5, periods = 2 + random() % 4;
    const int blocks = 2 + static_cast<int>(random() % 2);
    std::vector<Costs> all;
    for (std::size_t period = 0; period < periods; ++period) {
      all.push_back(randomCosts(random, rows));
      all.back().front() += 1;
    }
    const Machine machine = machineOf(0.01, 0.1 * static_cast<double>(1 + random() % 5));
    Sizes first(static_cast<std::size_t>(blocks));
    first.front() = static_cast<std::int64_t>(rows);
    const LoadAdvice advice = adviseBlocks(runOf(all, first, 8), machine);
    const double least = leastOfAll(all, blocks, 8, machine);
    EXPECT_GE(advice.best, least - 1e-9);
    EXPECT_LE(advice.best, advice.asRun + 1e-9);
    sumOfRatios += advice.best / least;
    double seconds = 0; // what is advised takes what is said, or less: directives that move nothing
    for (std::size_t period = 0; period < periods; ++period) {
      const Sizes &sizes = sizesAt(advice, period);
      seconds += largestOf(all[period], sizes);
      if (period > 0 && sizes != sizesAt(advice, period - 1))
        seconds +=
            directiveSeconds(machine, blocks, bytesBetween(sizesAt(advice, period - 1), sizes, 8));
    }
    EXPECT_LE(seconds, advice.best + 1e-9);
    EXPECT_GE(seconds,
              advice.best - static_cast<double>(periods) * directiveSeconds(machine, blocks, 0));
  }
  EXPECT_LE(sumOfRatios / rounds, 1.1);
}

TEST(LoadAdvice, CutsManyRowsInPieces) {
  ArrayLoads loads;
  loads.rows = 1'000'003;
  loads.processors = 3;
  loads.executions = 1;
  loads.rowBytes = 8;
  loads.periods.emplace_back();
  loads.periods.front().rows = {{0, 500'000, 1}, {500'000, 1'000'003, 5}};
  loads.periods.front().largest = 5;
  const LoadAdvice advice = adviseBlocks(loads, machineOf(0, 0));
  ASSERT_EQ(advice.blocks.size(), 1U);
  const Sizes &sizes = advice.blocks.front().sizes;
  EXPECT_EQ(sizes[0] + sizes[1] + sizes[2], loads.rows);
  EXPECT_NEAR(advice.best, 2, 1e-3);
  EXPECT_NEAR(advice.evenly, 2, 1e-9);
  EXPECT_NEAR(static_cast<double>(sizes[2]), 200'000, 100);
}

RecordedLoad recorded(unsigned line, std::int64_t begin, std::int64_t rows, double seconds) {
  RecordedLoad load;
  load.site.file = "app.c";
  load.site.line = line;
  load.array = "A";
  load.rows = 10;
  load.rowBytes = 16;
  load.processors = 2;
  addPeriod(load, loadPeriod(begin, rows, seconds, {}, static_cast<std::uint64_t>(begin)));
  return load;
}

TEST(LoadAdvice, JoinsWhatRanksRecorded) {
  Profile profile;
  profile.ranks.resize(3);
  profile.ranks[0].loads = {recorded(7, 0, 4, 1), recorded(3, 0, 5, 1)};
  profile.ranks[1].loads = {recorded(3, 5, 5, 2), recorded(7, 4, 6, 3)};
  profile.ranks[2].loads = {recorded(9, 0, 1, 1)};
  addPeriod(profile.ranks[0].loads[1], {}); // rank 0 executed it twice, as it seems
  const std::vector<ArrayLoads> all = arrayLoads(profile);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].site.line, 7U);
  EXPECT_EQ(all[0].periods[0].rows, (std::vector<RowsLoad>{{0, 4, 1}, {4, 10, 3}}));
  EXPECT_EQ(all[0].periods[0].largest, 3);
  EXPECT_EQ(all[0].periods[0].moved, 4U);
  EXPECT_EQ(all[1].site.line, 9U);
}

} // namespace
} // namespace sendwright
