// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold for every pattern, on random patterns and on extreme ones.

#include "analysis/sharing/routes/RouteSimulation.h"
#include "analysis/sharing/search/Sharing.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace sendwright;

namespace {

/// Random ranks, numbers of destinations, numbers of near destinations, and sizes.
ExchangePattern randomPattern(std::mt19937 &generator, std::int32_t mostRanks) {
  const auto below = [&](std::uint32_t end) {
    return static_cast<std::int32_t>(generator() % end);
  };
  ExchangePattern pattern{2 + below(mostRanks - 1), {}};
  const std::int32_t chance = 1 + below(100), nearChance = 1 + below(100);
  const bool busyRanks = below(2) == 0;
  for (std::int32_t source = 0; source < pattern.ranks; ++source)
    for (std::int32_t destination = 0; destination < pattern.ranks; ++destination) {
      const bool near = std::abs(source - destination) < 6;
      const bool busy = busyRanks && (source % 17 == 0 || destination % 13 == 0);
      if (source != destination && (busy || below(100) < (near ? nearChance : chance / 4)))
        pattern.messages.push_back({source, destination, 1u + below(1000)});
    }
  return pattern;
}

Machine randomMachine(std::mt19937 &generator) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  const auto link = [&] {
    return LinkParameters{between(1e-7, 1e-4),
                          between(1e-7, 1e-5),
                          between(1e-7, 1e-5),
                          between(0, 1e-5),
                          between(1e-11, 1e-8),
                          between(0, 1e-9),
                          65536};
  };
  Machine machine{"random", link(), {}, 1, false, true, {}};
  if (generator() % 2 == 0) {
    machine.ranks_per_node = 1 + static_cast<int>(generator() % 9);
    if (generator() % 2 == 0)
      machine.within = link();
  }
  return machine;
}

void everyMethod(const SharingAnalysis &analysis,
                 const std::function<void(const SharedRoutes &)> &visit) {
  visit(analysis.direct);
  visit(analysis.phaseOne);
  visit(analysis.phaseTwo);
  for (const SharedRoutes &routes : analysis.storeAndForward)
    visit(routes);
  for (const SharedRoutes &routes : analysis.groupSharing)
    visit(routes);
}

void checkEveryMethod(const ExchangePattern &pattern, const Machine &machine, double bytesPerItem) {
  const SharingAnalysis analysis = analyzeSharing(pattern, machine, bytesPerItem);
  const SharedRoutes &selected = analysis.selected();
  everyMethod(analysis, [&](const SharedRoutes &routes) {
    EXPECT_TRUE(routes.verified) << routes.method;
    EXPECT_EQ(simulateRoutes(pattern, routes.table), "") << routes.method;
    EXPECT_LE(selected.seconds, routes.seconds) << routes.method;
    EXPECT_GE(routes.seconds, analysis.bounds.seconds * (1 - 1e-12)) << routes.method;
    EXPECT_LE(routes.figures.maxHops, routes.figures.stages) << routes.method;
    if (routes.figures.stages <= 2) {
      EXPECT_GE(routes.figures.maxSends, analysis.bounds.twoStagesSends) << routes.method;
      EXPECT_GE(routes.figures.maxReceives, analysis.bounds.twoStagesReceives) << routes.method;
      EXPECT_GE(routes.figures.maxLoad, analysis.bounds.twoStagesLoad) << routes.method;
    }
  });
}

TEST(SharingProperties, RandomPatternsDeliverAndTheFastestIsSelected) {
  std::mt19937 generator(7);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const ExchangePattern pattern = randomPattern(generator, 48);
    checkEveryMethod(pattern, randomMachine(generator), 1 + generator() % 100);
  }
}

TEST(SharingProperties, PatternsAtTheEdges) {
  const auto star = [](std::int32_t ranks, bool outwards) {
    ExchangePattern pattern{ranks, {}};
    for (std::int32_t rank = 1; rank < ranks; ++rank)
      pattern.messages.push_back(outwards ? PatternMessage{0, rank, 3}
                                          : PatternMessage{rank, 0, 3});
    return pattern;
  };
  const ExchangePattern patterns[] = {{0, {}},          {1, {}},          {7, {}},
                                      {2, {{0, 1, 5}}}, {9, {{8, 0, 1}}}, star(2, true),
                                      star(50, true),   star(50, false)};
  for (const ExchangePattern &pattern : patterns) {
    SCOPED_TRACE(std::to_string(pattern.ranks) + " ranks, " +
                 std::to_string(pattern.messages.size()) + " messages");
    checkEveryMethod(pattern, defaultMachine(), 8);
    checkEveryMethod(pattern, Machine{"free", {}, {}, 1, false, true, {}}, 8);
  }
}

TEST(SharingProperties, TheSameTwiceIsTheSame) {
  std::mt19937 generator(8);
  const ExchangePattern pattern = randomPattern(generator, 48);
  const SharingChoice first = selectRoutes(pattern, defaultMachine(), 8);
  const SharingChoice second = selectRoutes(pattern, defaultMachine(), 8);
  EXPECT_EQ(first.routes.method, second.routes.method);
  EXPECT_EQ(first.routes.table.routes, second.routes.table.routes);
  EXPECT_LE(first.routes.seconds, first.directSeconds);
}

} // namespace
