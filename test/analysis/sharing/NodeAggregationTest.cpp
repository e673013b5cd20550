// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregation by nodes: every message arrives, one node sends another one message, and the messages
// of a node are dealt out evenly among its ranks.

#include "analysis/sharing/search/NodeAggregation.h"

#include "analysis/sharing/routes/RouteSimulation.h"
#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/sharing/search/Sharing.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

using namespace sendwright;

namespace {

ExchangePattern randomPattern(std::int32_t ranks, int percent) {
  std::mt19937 generator(static_cast<unsigned>(ranks * 100 + percent));
  ExchangePattern pattern{ranks, {}};
  for (std::int32_t from = 0; from < ranks; ++from)
    for (std::int32_t to = 0; to < ranks; ++to)
      if (from != to && static_cast<int>(generator() % 100) < percent)
        pattern.messages.push_back({from, to, 1 + generator() % 9});
  return pattern;
}

TEST(NodeAggregation, DeliversWhateverTheNumberOfRanks) {
  for (std::int32_t ranks = 2; ranks <= 33; ++ranks)
    for (const std::int32_t node : {1, 2, 5, 8, 40}) {
      const ExchangePattern pattern = randomPattern(ranks, 40);
      const RouteTable table = aggregateByNodes(pattern, node);
      ASSERT_TRUE(keepsRouteRules(pattern, table)) << ranks << " ranks, " << node << " a node";
      EXPECT_EQ(simulateRoutes(pattern, table), "") << ranks << " ranks, " << node << " a node";
    }
}

TEST(NodeAggregation, SendsOneMessageFromNodeToNode) {
  const ExchangePattern pattern = randomPattern(32, 60);
  std::map<std::pair<int, int>, int> messages;
  for (const CombinedMessage &message : combinedMessages(pattern, aggregateByNodes(pattern, 8)))
    if (message.from / 8 != message.to / 8) {
      EXPECT_EQ(message.stage, 1);
      ++messages[{message.from / 8, message.to / 8}];
    }
  EXPECT_EQ(messages.size(), 12U);
  for (const auto &[nodes, count] : messages)
    EXPECT_EQ(count, 1);
}

TEST(NodeAggregation, DealsNodesOutAmongTheRanksOfANode) {
  const ExchangePattern pattern = randomPattern(36, 90); // nine nodes
  std::map<int, int> sends, receives;                    // by rank
  for (const CombinedMessage &message : combinedMessages(pattern, aggregateByNodes(pattern, 4)))
    if (message.stage == 1) {
      ++sends[message.from];
      ++receives[message.to];
    }
  for (int rank = 0; rank < 36; ++rank) {
    EXPECT_EQ(sends[rank], 2) << rank;
    EXPECT_EQ(receives[rank], 2) << rank;
  }
}

/// Messages between nodes cost 25 times as much as within a node.
Machine machineOfNodes() {
  Machine machine;
  machine.between.L = machine.between.o_send = machine.between.o_recv = 5e-6;
  machine.within = machine.between;
  machine.within->L = machine.within->o_send = machine.within->o_recv = 2e-7;
  machine.ranks_per_node = 8;
  return machine;
}

TEST(NodeAggregation, IsNeverBetterThanWhatIsSelected) {
  const Machine machine = machineOfNodes();
  for (const int percent : {5, 20, 60}) {
    const ExchangePattern pattern = randomPattern(64, percent);
    const double aggregated = predictSeconds(
        combinedMessages(pattern, aggregateByNodes(pattern, 8)), pattern.ranks, machine, 8);
    EXPECT_LE(analyzeSharing(pattern, machine, 8).selected().seconds, aggregated) << percent;
  }
}

} // namespace
