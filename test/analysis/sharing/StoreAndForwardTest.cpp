// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/StoreAndForward.h"
#include "analysis/sharing/routes/RouteSimulation.h"
#include "analysis/sharing/search/Sharing.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace sendwright;

namespace {

ExchangePattern exchangeOfAll(std::int32_t ranks) {
  ExchangePattern pattern{ranks, {}};
  for (std::int32_t source = 0; source < ranks; ++source)
    for (std::int32_t destination = 0; destination < ranks; ++destination)
      if (source != destination)
        pattern.messages.push_back({source, destination, 1});
  return pattern;
}

TEST(StoreAndForward, LongerExtentsComeFirst) {
  EXPECT_EQ(gridExtents(512, 2), (GridExtents{32, 16}));
  EXPECT_EQ(gridExtents(512, 4), (GridExtents{8, 4, 4, 4}));
  EXPECT_EQ(gridExtents(64, 6), (GridExtents{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(gridExtents(128, 5), (GridExtents{4, 4, 2, 2, 2}));
  EXPECT_EQ(gridExtents(24, 2), (GridExtents{5, 5}));
  EXPECT_EQ(gridExtents(24, 3), (GridExtents{3, 3, 3}));
  EXPECT_EQ(gridExtents(17, 2), (GridExtents{5, 4})) << "as many rows as there are ranks for";
  EXPECT_EQ(gridExtents(5, 3), (GridExtents{2, 2, 2}));
  EXPECT_EQ(largestGridDimensions(64), 6);
  EXPECT_EQ(largestGridDimensions(4096), 9);
  EXPECT_EQ(largestGridDimensions(5), 3);
  EXPECT_EQ(largestGridDimensions(2), 0);
}

TEST(StoreAndForward, CorrectsTheLeastSignificantDigitFirst) {
  const ExchangePattern pattern{16, {{0, 15, 1}}};
  EXPECT_EQ(gridRoutes(pattern, {4, 4}).routes[0], (std::vector<Hop>{{0, 3}, {1, 15}}));
}

TEST(StoreAndForward, GoesByTheRowBeforeWhereTheLastOneHasNoSuchPoint) {
  const ExchangePattern pattern{10, {{8, 7, 1}}};
  EXPECT_EQ(gridRoutes(pattern, {4, 3}).routes[0], (std::vector<Hop>{{0, 7}}));
  const ExchangePattern further{10, {{8, 3, 1}}};
  EXPECT_EQ(gridRoutes(further, {4, 3}).routes[0], (std::vector<Hop>{{0, 7}, {1, 3}}));
}

TEST(StoreAndForward, EveryNumberOfRanksAndOfDimensionsDelivers) {
  for (std::int32_t ranks = 3; ranks <= 40; ++ranks) {
    const ExchangePattern pattern = exchangeOfAll(ranks);
    for (int dimensions = 2; dimensions <= largestGridDimensions(ranks); ++dimensions)
      EXPECT_EQ(simulateRoutes(pattern, gridRoutes(pattern, gridExtents(ranks, dimensions))), "")
          << ranks << " ranks, " << dimensions << " dimensions";
  }
}

TEST(StoreAndForward, NoRankHasMorePartnersThanItsGrid) {
  const ExchangePattern pattern = exchangeOfAll(64);
  const RouteTable table = gridRoutes(pattern, gridExtents(64, 3));
  const SharingFigures figures = sharingFigures(pattern, table, combinedMessages(pattern, table));
  EXPECT_EQ(figures.maxSends, 9);
  EXPECT_EQ(figures.maxLoad, 18);
  EXPECT_EQ(figures.maxHops, 3);
}

TEST(StoreAndForward, IsChosenWhereEveryoneSendsLittleToEveryone) {
  const SharingChoice choice = selectRoutes(exchangeOfAll(64), defaultMachine(), 8);
  EXPECT_TRUE(choice.shares());
  EXPECT_TRUE(choice.routes.verified);
  EXPECT_LT(choice.routes.seconds, choice.directSeconds);
}

TEST(StoreAndForward, IsNotChosenWhereMessagesAreLarge) {
  const SharingChoice choice = selectRoutes(exchangeOfAll(16), defaultMachine(), 1e6);
  EXPECT_FALSE(choice.shares());
  EXPECT_EQ(choice.routes.method, "direct");
}

} // namespace
