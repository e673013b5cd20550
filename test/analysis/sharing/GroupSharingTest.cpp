// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/GroupSharing.h"
#include "analysis/sharing/routes/RouteSimulation.h"
#include "analysis/sharing/routes/SharedPattern.h"
#include "analysis/sharing/search/ArcElimination.h"
#include "analysis/sharing/search/Sharing.h"

#include <gtest/gtest.h>

#include <string>

using namespace sendwright;

namespace {

ExchangePattern sparsePattern() {
  return patternOf(readMatrix(std::string(SENDWRIGHT_SHARING_PATTERNS) + "/bcsstk29.64.txt"));
}

SharingFigures figuresOf(const ExchangePattern &pattern, const RouteTable &table) {
  return sharingFigures(pattern, table, combinedMessages(pattern, table));
}

TEST(GroupSharing, OneOfAGroupCollectsForADestination) {
  const ExchangePattern pattern{6,
                                {{0, 1, 1}, {0, 4, 1}, {0, 5, 1}, {1, 4, 1}, {1, 5, 1}, {2, 5, 1}}};
  const RouteTable table = groupRoutes(pattern, 2);
  EXPECT_EQ(table.routes[0], (std::vector<Hop>{{0, 1}})) << "within the group";
  EXPECT_EQ(table.routes[1], (std::vector<Hop>{{1, 4}})) << "0 collects for 4";
  EXPECT_EQ(table.routes[3], (std::vector<Hop>{{0, 0}, {1, 4}}));
  EXPECT_EQ(table.routes[2], (std::vector<Hop>{{0, 1}, {1, 5}})) << "1, which sends less, for 5";
  EXPECT_EQ(table.routes[4], (std::vector<Hop>{{1, 5}}));
  EXPECT_EQ(table.routes[5], (std::vector<Hop>{{1, 5}})) << "another group";
  EXPECT_EQ(simulateRoutes(pattern, table), "");
}

TEST(GroupSharing, EveryGroupSizeDelivers) {
  const ExchangePattern pattern = sparsePattern();
  for (std::int32_t size : {1, 2, 3, 7, 16, 63, 64, 100})
    EXPECT_EQ(simulateRoutes(pattern, groupRoutes(pattern, size)), "") << size;
}

TEST(GroupSharing, EliminationLeavesFewerMessagesAtTheBusiestRank) {
  const ExchangePattern pattern = sparsePattern();
  const RouteTable start = groupRoutes(pattern, 8);
  for (const LoadPower power : {LoadPower::Fourth, LoadPower::Eighth}) {
    const RouteTable found = eliminateArcs(pattern, start, {}, power, 10'000'000);
    EXPECT_EQ(simulateRoutes(pattern, found), "");
    EXPECT_LE(figuresOf(pattern, found).maxLoad, 10);
    EXPECT_LT(figuresOf(pattern, found).averageSends, figuresOf(pattern, start).averageSends);
  }
}

TEST(GroupSharing, NoEffortChangesNothing) {
  const ExchangePattern pattern = sparsePattern();
  const RouteTable start = groupRoutes(pattern, 8);
  EXPECT_EQ(eliminateArcs(pattern, start, {}, LoadPower::Fourth, 0).routes, start.routes);
}

TEST(GroupSharing, LargeItemsTakeTheShortestWay) {
  const ExchangePattern pattern = sparsePattern();
  LoadWeights weights;
  weights.between.item = weights.within.item = 1000;
  const RouteTable found =
      eliminateArcs(pattern, groupRoutes(pattern, 4), weights, LoadPower::Fourth, 10'000'000);
  EXPECT_LT(figuresOf(pattern, found).volumeFactor, 1.1);
}

TEST(GroupSharing, MessagesWithinNodesReplaceThoseBetween) {
  const ExchangePattern pattern = sparsePattern();
  const auto messagesBetweenNodes = [&](const SharedRoutes &routes) {
    std::int64_t count = 0;
    for (const CombinedMessage &message : combinedMessages(pattern, routes.table))
      count += message.from / 8 != message.to / 8;
    return count;
  };
  Machine machine = defaultMachine();
  const SharedRoutes flat = analyzeSharing(pattern, machine, 8).groupSharing.at(0);
  machine.ranks_per_node = 8;
  EXPECT_LT(messagesBetweenNodes(analyzeSharing(pattern, machine, 8).groupSharing.at(0)),
            messagesBetweenNodes(flat))
      << "without times within a node";
  machine.within = machine.between;
  machine.within->L = machine.within->o_send = machine.within->o_recv = machine.within->g = 5e-7;
  const SharingAnalysis analysis = analyzeSharing(pattern, machine, 8);
  EXPECT_LT(messagesBetweenNodes(analysis.groupSharing.at(0)), messagesBetweenNodes(flat));
  EXPECT_LT(analysis.selected().seconds, analysis.direct.seconds);
}

} // namespace
