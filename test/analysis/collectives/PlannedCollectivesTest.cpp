// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives in plan files: each rank gets its part, and anything that no plan holds is refused.

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/collectives/CollectivesInPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/ordering/PlannedOrders.h"
#include "test/analysis/collectives/PlannedCollectivesSample.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace sendwright {
namespace {

RankCountPlan planWithCollectives() {
  RankCountPlan plan;
  plan.sites.resize(2);
  plan.sites[1].site.line = 2;
  plan.of<PlannedOrders>().ranks.resize(3);
  addPlannedCollectives(plan);
  return plan;
}

TEST(PlanFile, RankTakesItsPartOfACollective) {
  Plan plan;
  plan.rankCounts[3] = planWithCollectives();
  plan.rankCounts[8].of<PlannedOrders>().ranks.resize(8);
  const std::string file = testing::TempDir() + "collectives.plan";
  writePlan(plan, file);
  const std::string bytes = readTextFile(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(plansCollectives(bytes.data(), bytes.size(), 3));
  EXPECT_FALSE(plansCollectives(bytes.data(), bytes.size(), 8));
  const RankPlan mine = decodeRankPlan(bytes.data(), bytes.size(), "f", 3, 0);
  EXPECT_EQ(mine.own.of<PlannedCollectives>().collectives,
            plan.rankCounts[3].of<PlannedCollectives>().collectives);
  // Rank 0 is the second from the root, rank 1, and gives it everything. In the all-to-all it is
  // also second.
  ASSERT_EQ(mine.own.of<PlannedCollectives>().rankCollectives.at(0).size(), 2u);
  EXPECT_EQ(mine.own.of<PlannedCollectives>().rankCollectives.at(0)[0].steps,
            (std::vector<CollectiveStep>{{true, 1, 800, Arrival::CombineRight, {{0, 1}}}}));
  EXPECT_EQ(mine.own.of<PlannedCollectives>().rankCollectives.at(0)[1].steps,
            (std::vector<CollectiveStep>{{true, 0, 8, Arrival::Store, {{2, 1}}},
                                         {false, 0, 8, Arrival::Store, {{1, 1}}}}));
  EXPECT_EQ(decodeRankPlan(bytes.data(), bytes.size(), "f", 3, 1)
                .own.of<PlannedCollectives>()
                .rankCollectives.at(0)
                .size(),
            1u);
  const Plan read = decodePlan(bytes.data(), bytes.size(), "f");
  EXPECT_EQ(read.rankCounts.at(3).of<PlannedCollectives>().rankCollectives,
            plan.rankCounts[3].of<PlannedCollectives>().rankCollectives);
  const SitePlan &reduce = read.rankCounts.at(3).sites[0];
  ASSERT_TRUE(reduce.of<SiteCollective>().prediction);
  EXPECT_EQ(reduce.of<SiteCollective>().prediction->algorithm, "binomial tree");
  EXPECT_DOUBLE_EQ(reduce.of<SiteCollective>().prediction->gainPercent(), 25);
  EXPECT_EQ(sentenceOf(read.rankCounts.at(3).sites[1].of<SiteCollective>().refusal),
            "the blocks have 8 to 16 bytes");
}

TEST(PlannedCollectives, ConsecutiveSlotsAreOneRange) {
  // Bruck's first phase with four ranks: the blocks with distance one or three.
  const std::vector<RankCollective> parts =
      collectivePartsOf(5, scheduleNamed(Collective::AllToAll, "Bruck", {4, 8, 0}));
  EXPECT_EQ(parts[0].collective, 5u);
  EXPECT_EQ(parts[0].steps[0], (CollectiveStep{true, 1, 16, Arrival::Store, {{1, 1}, {3, 1}}}));
  const std::vector<RankCollective> tree =
      collectivePartsOf(0, scheduleNamed(Collective::Scatter, "binomial tree", {4, 8, 0}));
  EXPECT_EQ(tree[0].steps[0], (CollectiveStep{true, 2, 16, Arrival::Store, {{2, 2}}}));
}

/// The message about the plan after a change; "" if the plan is read.
std::string refusal(const std::function<void(RankCountPlan &)> &change) {
  RankCountPlan plan = planWithCollectives();
  change(plan);
  try {
    ByteWriter all, own;
    encodeCollectives(all, plan.of<PlannedCollectives>().collectives);
    const std::string bytes = all.take();
    ByteReader in(bytes, "f");
    const std::vector<PlannedCollective> collectives = decodeCollectives(in, 3, 2);
    encodeCollectiveParts(own, plan.of<PlannedCollectives>().rankCollectives[0]);
    const std::string parts = own.take();
    ByteReader partsIn(parts, "f");
    decodeCollectiveParts(partsIn, 0, collectives);
    return "";
  } catch (const FormatError &error) {
    return error.what();
  }
}

TEST(PlannedCollectives, WhatNoPlanHoldsIsRefused) {
  EXPECT_EQ(refusal([](RankCountPlan &) {}), "");
  using Plan = RankCountPlan;
  EXPECT_EQ(refusal([](Plan &p) { p.of<PlannedCollectives>().collectives[0].site = 2; }),
            "f: site 2, expected one of 2");
  EXPECT_EQ(refusal([](Plan &p) { p.of<PlannedCollectives>().collectives[1].site = 0; }),
            "f: site 0, expected sites in order, each once");
  EXPECT_EQ(
      refusal([](Plan &p) { p.of<PlannedCollectives>().collectives[0].root = 3; }).substr(0, 9),
      "f: root 3");
  EXPECT_EQ(refusal([](Plan &p) { p.of<PlannedCollectives>().collectives[0].slots = 2; }),
            "f: 2 slots, expected those of a schedule for 3 ranks");
  EXPECT_EQ(refusal([](Plan &p) {
              p.of<PlannedCollectives>().collectives[1].communicator.members = {0};
            }),
            "f: a communicator of 1 ranks, expected two or more, each once");
  EXPECT_EQ(refusal([](Plan &p) {
              p.of<PlannedCollectives>().collectives[1].communicator.intercommunicator = true;
            }),
            "f: a collective's communicator, expected one within a group");
  EXPECT_NE(refusal([](Plan &p) {
              p.of<PlannedCollectives>().collectives[0].operation = Collective::Barrier;
            }),
            "");
  EXPECT_EQ(refusal([](Plan &p) { p.of<PlannedCollectives>().rankCollectives[0].pop_back(); }),
            "f: no part in collective 1 of rank 0");
  EXPECT_EQ(
      refusal([](Plan &p) { p.of<PlannedCollectives>().rankCollectives[0][1].collective = 0; }),
      "f: collective 0, expected those of rank 0, in order, each once");
  const auto step = [](auto change) {
    return refusal(
        [&](Plan &p) { change(p.of<PlannedCollectives>().rankCollectives[0][1].steps[0]); });
  };
  EXPECT_EQ(step([](CollectiveStep &s) { s.peer = 1; }), "f: peer 1, expected another rank");
  EXPECT_NE(step([](CollectiveStep &s) { s.peer = 2; }), "");
  EXPECT_NE(step([](CollectiveStep &s) { s.arrival = Arrival::CombineLeft; }), "");
  EXPECT_NE(step([](CollectiveStep &s) { s.slots = {{4, 1}}; }), "");
  EXPECT_NE(step([](CollectiveStep &s) { s.slots = {{3, 2}}; }), "");
  EXPECT_NE(step([](CollectiveStep &s) { s.slots = {}; }), "");
  EXPECT_EQ(step([](CollectiveStep &s) { s.slots = {{0, 4}, {0, 1}}; }),
            "f: a message with 5 slots, expected at least one and at most 4");
}

} // namespace
} // namespace sendwright
