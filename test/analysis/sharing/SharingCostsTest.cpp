// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/sharing/routes/SharedPattern.h"
#include "analysis/sharing/routes/SharingBounds.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

const ExchangePattern fourMessages{4, {{0, 1, 5}, {0, 2, 6}, {0, 3, 7}, {1, 3, 8}}};
const RouteTable throughOne{2, {{{0, 1}}, {{0, 1}, {1, 2}}, {{0, 1}, {1, 3}}, {{1, 3}}}};

Machine machineOf(const LinkParameters &link) { return {"test", link, {}, 1, false, true, {}}; }

double secondsOf(const RouteTable &table, const Machine &machine, double bytesPerItem) {
  return predictSeconds(combinedMessages(fourMessages, table), 4, machine, bytesPerItem);
}

TEST(SharingCosts, EachStageLastsAsLongAsItsBusiestRank) {
  const Machine machine = machineOf({100, 10, 3, 1, 0, 0, 0});
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machine, 1), 100 + 3 * 10);
  EXPECT_DOUBLE_EQ(secondsOf(throughOne, machine, 1), 100 + 10 + 100 + 2 * 10);
}

TEST(SharingCosts, TheGapCountsWhereItIsLonger) {
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machineOf({0, 1, 1, 50, 0, 0, 0}), 1),
                   150);
}

TEST(SharingCosts, BytesCountAtBothEnds) {
  const Machine machine = machineOf({0, 0, 0, 0, 2, 1, 0});
  // Rank 0 sends 18 items; meanwhile 1 receives 18, then sends 6 and 15.
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machine, 10), 18 * 10 * 3);
  EXPECT_DOUBLE_EQ(secondsOf(throughOne, machine, 10), (18 + 21) * 10 * 3);
}

TEST(SharingCosts, MessagesWithinANodeCostWhatTheyCostThere) {
  Machine machine = machineOf({100, 10, 10, 0, 0, 0, 0});
  machine.ranks_per_node = 2;
  machine.within = LinkParameters{5, 1, 1, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(secondsOf(throughOne, machine, 1), 5 + 1 + 100 + 2 * 10);
}

TEST(SharingCosts, AStageLastsUntilTheBusiestPortOfANodeIsThrough) {
  Machine machine = machineOf({100, 10, 3, 0, 0, 0, 0});
  machine.ranks_per_node = 2;
  machine.within = LinkParameters{5, 1, 1, 0, 0, 0, 0};
  machine.node_port = NodePort{40, 2};
  // Three messages of 21 bytes leave the first node and enter the second; the fourth stays.
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machine, 1),
                   10 + 3 * 40 + 21 * 2 + 100 + 3);
  // A port that is never busy for long changes nothing.
  machine.node_port = NodePort{1, 0};
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machine, 1), 100 + 2 * 10 + 1);
  // Where ranks are may be known.
  machine.node_port = NodePort{40, 2};
  machine.nodes = {0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(secondsOf(directRoutes(fourMessages), machine, 1),
                   10 + 2 * 40 + 12 * 2 + 100 + 3);
}

TEST(SharingCosts, FiguresCountCombinedMessages) {
  const SharingFigures figures =
      sharingFigures(fourMessages, throughOne, combinedMessages(fourMessages, throughOne));
  EXPECT_EQ(figures.stages, 2);
  EXPECT_DOUBLE_EQ(figures.averageSends, 0.75);
  EXPECT_EQ(figures.maxSends, 2);
  EXPECT_EQ(figures.maxReceives, 1);
  EXPECT_EQ(figures.maxLoad, 3);
  EXPECT_EQ(figures.maxHops, 2);
  EXPECT_DOUBLE_EQ(figures.volumeFactor, 39.0 / 26);
}

TEST(SharingCosts, BoundsOfStages) {
  EXPECT_EQ(fewestMessages(12, 1), 12);
  EXPECT_EQ(fewestMessages(12, 2), 3) << "3 + 9";
  EXPECT_EQ(fewestMessages(13, 2), 4);
  EXPECT_EQ(fewestMessages(333, 2), 18) << "18 + 324";
  EXPECT_EQ(fewestMessages(14, 3), 2) << "2 + 4 + 8";
  EXPECT_EQ(fewestMessages(0, 2), 0);
  // Three destinations: one stage of three messages, or two stages of one message.
  EXPECT_DOUBLE_EQ(sharingBounds(fourMessages, machineOf({100, 1, 0, 0, 0, 0, 0})).seconds, 103);
  EXPECT_DOUBLE_EQ(sharingBounds(fourMessages, machineOf({1, 100, 0, 0, 0, 0, 0})).seconds, 202);
}

TEST(SharingCosts, APatternIsAMatrixInOrderWithoutItsDiagonal) {
  const ExchangePattern pattern = patternOf(parseMatrix("1: 2:7 1:9 0:3\n0: 2:1\n", "test"));
  EXPECT_EQ(pattern.ranks, 3);
  EXPECT_EQ(pattern.messages, (std::vector<PatternMessage>{{0, 2, 1}, {1, 0, 3}, {1, 2, 7}}));
}

} // namespace
