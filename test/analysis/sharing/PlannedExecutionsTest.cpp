// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PlannedExecutions.h"

#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// One exchange of ranks 1 and 2 with rank 0, at site 0.
SharedExchanges planToRankZero() {
  SharedExchanges plan;
  ExchangePattern pattern{3, {{1, 0, 8}, {2, 0, 8}}};
  const RouteTable table{2, {{{0, 2}, {1, 0}}, {{1, 0}}}};
  plan.exchanges.push_back({0, {{0, 1, 2}}, "by hand", 2, 2});
  for (const RankExchange &part : partsOfRanks(0, pattern, {{0}, {0}}, table))
    plan.rankExchanges.push_back({part});
  return plan;
}

} // namespace

TEST(PlannedExecutions, AnExecutionWithoutMessagesIsAnInstance) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int execution = 0; execution < 4; ++execution) {
    if (execution == 2)
      run.skip(1, site);
    run.phase(execution == 2 ? SendLists{{}, {}, {0}} : SendLists{{}, {0}, {0}}, site);
  }
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  const PlannedExecutions executions(timeline, loops, planToRankZero(), {{site, 0}});
  EXPECT_EQ(executions.count(1, 0), 4U);
  EXPECT_EQ(executions.count(2, 0), 4U);
  EXPECT_EQ(executions.count(0, 0), 0U);
  EXPECT_EQ(executions.emptyOnes(1).size(), 1U);
  ASSERT_EQ(executions.instances().size(), 1U);
  EXPECT_EQ(executions.instances()[0].rank, 1U);
  EXPECT_EQ(executions.instances()[0].ends.size(),
            4U); // before a collective call, empty ones count
}

TEST(PlannedExecutions, TurnsSayWhichExecutionsAreInstances) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int execution = 0; execution < 6; ++execution)
    run.phase(execution % 3 == 0 ? SendLists{{}, {0}, {0}} : SendLists{{}, {2}, {1}}, site);
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  SharedExchanges plan = planToRankZero();
  constexpr std::uint32_t nothing = ExchangeTurns::nothing;
  plan.turns.push_back({0, {{{}, {0, nothing, nothing}}}, {nothing, 0, 0}});
  const PlannedExecutions executions(timeline, loops, plan, {{site, 0}});
  EXPECT_EQ(executions.count(1, 0), 2U);
  EXPECT_EQ(executions.exchangeOf(1, 0), 0U);
  EXPECT_EQ(executions.exchangeOf(1, 1), nothing);
  EXPECT_EQ(executions.exchangeOf(1, 3), 0U);
}
