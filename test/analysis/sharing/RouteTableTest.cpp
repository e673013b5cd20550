// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/RouteTable.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// Rank 0 has something for 1, 2 and 3; rank 1 has something for 3. The message for 2 goes through
/// 1, and so does the message for 3, which stays there for a stage.
const ExchangePattern pattern{4, {{0, 1, 5}, {0, 2, 6}, {0, 3, 7}, {1, 3, 8}}};
const RouteTable shared{3, {{{0, 1}}, {{0, 1}, {1, 2}}, {{0, 1}, {2, 3}}, {{2, 3}}}};

TEST(RouteTable, CombinesWhatOneRankHasForAnotherInOneStage) {
  ASSERT_TRUE(keepsRouteRules(pattern, shared));
  const std::vector<RankStages> ranks = stagesOfRanks(pattern, shared);
  ASSERT_EQ(ranks.size(), 4u);
  EXPECT_EQ(ranks[0][0].sends, (std::vector<Transfer>{{1, {0, 1, 2}}}));
  EXPECT_EQ(ranks[1][0].receives, (std::vector<Transfer>{{0, {0, 1, 2}}}));
  EXPECT_EQ(ranks[1][1].sends, (std::vector<Transfer>{{2, {1}}}));
  EXPECT_EQ(ranks[1][2].sends, (std::vector<Transfer>{{3, {2, 3}}}));
  EXPECT_EQ(ranks[3][2].receives, (std::vector<Transfer>{{1, {2, 3}}}));
  EXPECT_TRUE(ranks[0][1].sends.empty());
}

TEST(RouteTable, DirectRoutesAreOneStage) {
  const RouteTable direct = directRoutes(pattern);
  ASSERT_TRUE(keepsRouteRules(pattern, direct));
  const std::vector<RankStages> ranks = stagesOfRanks(pattern, direct);
  EXPECT_EQ(ranks[0][0].sends, (std::vector<Transfer>{{1, {0}}, {2, {1}}, {3, {2}}}));
  EXPECT_EQ(ranks[3][0].receives, (std::vector<Transfer>{{0, {2}}, {1, {3}}}));
}

TEST(RouteTable, RoutesThatBreakARuleAreFound) {
  const auto breaks = [](std::size_t message, std::vector<Hop> route) {
    RouteTable table = shared;
    table.routes[message] = std::move(route);
    return !keepsRouteRules(pattern, table);
  };
  EXPECT_TRUE(breaks(1, {{0, 1}})) << "ends elsewhere";
  EXPECT_TRUE(breaks(1, {})) << "never leaves";
  EXPECT_TRUE(breaks(1, {{1, 1}, {1, 2}})) << "two hops in one stage";
  EXPECT_TRUE(breaks(1, {{0, 1}, {3, 2}})) << "no such stage";
  EXPECT_TRUE(breaks(1, {{0, 4}, {1, 2}})) << "no such rank";
  EXPECT_TRUE(breaks(1, {{0, 0}, {1, 2}})) << "to where it is";
  RouteTable shorter = shared;
  shorter.routes.pop_back();
  EXPECT_FALSE(keepsRouteRules(pattern, shorter));
}

} // namespace
