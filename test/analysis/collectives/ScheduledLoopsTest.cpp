// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a run takes in which a loop goes by a schedule.

#include "test/analysis/collectives/LoopRun.h"

#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/schedules/Collectives.h"

#include <gtest/gtest.h>

using namespace sendwright;

TEST(ScheduledLoops, ARunUnderAPlanTakesTheSchedulesTime) {
  // L 10, o_send 2, o_recv 3, g 4, G 1: one byte as written, 25 bytes with its head.
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  machine.between.eager_limit = 100;
  const auto times = [&](Collective operation, const char *algorithm, const LoopRun &run,
                         bool planned) {
    const Timeline timeline = unroll(run.profile, 1'000'000);
    const SendLoops loops = findSendLoops(run.profile, timeline, {});
    RankCountPlan plan;
    plan.of<PlannedOrders>().ranks.resize(run.profile.ranks.size());
    plan.sites.resize(1);
    plan.sites[0].site = identityAt(loopLine);
    plan.sites[0].decision = Decision::Rewrite;
    const CollectiveTask task{static_cast<std::uint32_t>(plan.of<PlannedOrders>().ranks.size()), 1,
                              0};
    for (const CollectiveAlgorithm &each : algorithmsOf(operation))
      if (planned && each.name == algorithm)
        addCollective(plan.of<PlannedCollectives>(), plan.of<PlannedOrders>().ranks.size(), 0,
                      {0, operation, run.profile.ranks[0].communicators[0], 0, algorithm, 1, 1},
                      collectivePartsOf(0, each.schedule(task, machine.between, SlotsKept::Yes)));
    const RunSimulation simulated = simulateRun(run.profile, timeline, machine, &loops, &plan);
    EXPECT_EQ(simulated.stuck, 0U);
    std::vector<double> totals;
    for (const SimulatedRank &rank : simulated.ranks)
      totals.push_back(rank.total);
    return totals;
  };
  using Times = std::vector<double>;
  LoopRun broadcast(4);
  broadcast.instance(Collective::Broadcast, 0, 1);
  EXPECT_EQ(times(Collective::Broadcast, "", broadcast, false), (Times{6, 15, 19, 23}));
  // To 2, then to 1, whose first byte leaves after the 24 bytes and the gap; 2 passes the message
  // to 3.
  EXPECT_EQ(times(Collective::Broadcast, "binomial tree", broadcast, true), (Times{4, 67, 41, 78}));

  LoopRun exchange(3);
  exchange.exchange(1);
  // To 1 and 2 in the first step, two blocks never meet at distance 1: in Bruck's order, two steps
  // of 39 each.
  EXPECT_EQ(times(Collective::AllToAll, "Bruck", exchange, true), (Times{78, 78, 78}));

  // Twice the plan's size: 26 bytes with the head. A rank that comes late delays the others.
  LoopRun gather(2);
  gather.compute(1, 100);
  gather.instance(Collective::Gather, 0, 2);
  EXPECT_EQ(times(Collective::Gather, "linear", gather, true), (Times{100 + 40, 102}));
}
