// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/RouteSimulation.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

const ExchangePattern threeMessages{3, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}};
const RouteTable through{2, {{{0, 1}}, {{0, 1}, {1, 2}}, {{1, 2}}}};

TEST(RouteSimulation, AcceptsWhatDelivers) {
  EXPECT_EQ(simulateRoutes(threeMessages, directRoutes(threeMessages)), "");
  EXPECT_EQ(simulateRoutes(threeMessages, through), "");
}

TEST(RouteSimulation, FindsWhatDoesNot) {
  const std::vector<RankStages> right = stagesOfRanks(threeMessages, through);
  std::vector<RankStages> wrong = right;
  wrong[1][1].sends.clear();
  EXPECT_EQ(simulateStages(threeMessages, wrong),
            "rank 2 in stage 1 expects of rank 1 what it does not send");
  wrong[2][1].receives.clear();
  EXPECT_EQ(simulateStages(threeMessages, wrong), "message 1 ends at rank 1");
  wrong = right;
  wrong[2][1].receives.clear();
  EXPECT_EQ(simulateStages(threeMessages, wrong), "2 messages of stage 1 are not received");
  wrong = right;
  wrong[2][1].sends = {{0, {0}}};
  EXPECT_EQ(simulateStages(threeMessages, wrong), "rank 2 in stage 1 has no message 0");
  wrong = right;
  wrong[1][0].sends = {{2, {2}}};
  wrong[2][0].receives = {{1, {2}}};
  EXPECT_EQ(simulateStages(threeMessages, wrong), "rank 1 in stage 1 has no message 2");
  EXPECT_NE(simulateRoutes(threeMessages, {1, {{{0, 1}}, {{0, 1}}, {{0, 2}}}}), "");
}

} // namespace
