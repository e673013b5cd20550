// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which schedule a loop gets that is a collective operation, and which loop gets none.

#include "test/analysis/collectives/LoopRun.h"
#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/sharing/SharedExchanges.h"

using namespace sendwright;

namespace {

/// The run's plan if the unit says this about its loop.
ProfilePlan planOf(LoopRun &run, const CollectiveInSource &candidate, PlannerOptions options) {
  UnitSummary unit;
  unit.collectives = {candidate};
  run.profile.units = {{"app.c", encodeUnitSummary(unit)}};
  return planProfile(run.profile, "test.prof", options);
}

} // namespace

TEST(ChosenSchedule, TheFastestScheduleIsTaken) {
  for (const auto &[operation, algorithm] :
       {std::pair(Collective::Broadcast, "optimal tree"),
        std::pair(Collective::Scatter, "optimal tree"),
        std::pair(Collective::Gather, "optimal tree"),
        std::pair(Collective::Reduce, "optimal tree"), std::pair(Collective::AllToAll, "Bruck")}) {
    LoopRun run = runOf(operation, 64, 2);
    for (const RunReplay replay : {RunReplay::None, RunReplay::Choose}) {
      const ProfilePlan planned = planOf(run, inSource(operation), onInfiniband(replay));
      ASSERT_EQ(planned.plan.of<PlannedCollectives>().collectives.size(), 1U)
          << nameOf(operation)
          << sentenceOf(findSite(planned, loopLine)->of<SiteCollective>().refusal)
          << findSite(planned, loopLine)->reason;
      const PlannedCollective &collective = planned.plan.of<PlannedCollectives>().collectives[0];
      EXPECT_EQ(collective.algorithm, algorithm) << nameOf(operation);
      const SitePlan *site = findSite(planned, loopLine);
      ASSERT_TRUE(site && site->of<SiteCollective>().prediction);
      EXPECT_EQ(site->transformation, "collectives");
      EXPECT_FALSE(site->of<SiteCollective>().refusal);
      EXPECT_GT(site->of<SiteCollective>().prediction->writtenSeconds,
                1.5 * site->of<SiteCollective>().prediction->seconds);
      EXPECT_EQ(planned.plan.of<PlannedCollectives>().rankCollectives.size(), 64U);
      if (planned.run) {
        EXPECT_TRUE(planned.run->sites[0].choiceText.starts_with("schedule: "));
      }
    }
  }
}

TEST(ChosenSchedule, WhatGainsNothingAndWhatTheSourceRefusesIsLeft) {
  LoopRun two = runOf(Collective::Broadcast, 2, 2);
  const ProfilePlan pair = planOf(two, inSource(Collective::Broadcast), onInfiniband({}));
  EXPECT_TRUE(pair.plan.of<PlannedCollectives>().collectives.empty());
  EXPECT_TRUE(sentenceOf(findSite(pair, loopLine)->of<SiteCollective>().refusal)
                  .starts_with("no schedule is predicted to"));

  LoopRun near = runOf(Collective::Gather, 64, 2);
  CollectiveInSource candidate = inSource(Collective::Gather);
  candidate.problem = "the blocks overlap";
  const ProfilePlan planned = planOf(near, candidate, onInfiniband(RunReplay::Choose));
  EXPECT_EQ(sentenceOf(findSite(planned, loopLine)->of<SiteCollective>().refusal),
            "the blocks overlap");
  expectLeft(planned, loopLine, LeaveReason::ReceivesOnly, "it only receives");

  PlannerOptions without = onInfiniband({});
  without.leftOut = {"collectives"};
  EXPECT_EQ(findSite(planOf(near, inSource(Collective::Gather), without), loopLine), nullptr);
}

TEST(ChosenSchedule, MpisOwnFunctionIsTakenWhereItWasMeasuredToBeFastest) {
  PlannerOptions options = onInfiniband(RunReplay::Choose);
  const auto chosenWith = [&](std::vector<MeasuredCollective> rows, std::uint64_t secondBytes = 8) {
    LoopRun run(64);
    for (const std::uint64_t bytes : {std::uint64_t{8}, secondBytes})
      run.instance(Collective::Broadcast, 0, bytes);
    run.mark();
    options.machine.measured_collectives = std::move(rows);
    const ProfilePlan planned = planOf(run, inSource(Collective::Broadcast), options);
    if (planned.plan.of<PlannedCollectives>().collectives.empty())
      return std::string("as written");
    if (callsLibrary(planned.plan.of<PlannedCollectives>().collectives[0])) {
      EXPECT_TRUE(planned.plan.of<PlannedCollectives>().rankCollectives[5][0].steps.empty());
      EXPECT_NEAR(findSite(planned, loopLine)->of<SiteCollective>().prediction->seconds, 2e-6,
                  1e-12);
      // The two executions follow one another.
      EXPECT_NEAR(planned.run->sites[0].after, 4e-6, 1e-12);
    }
    return planned.plan.of<PlannedCollectives>().collectives[0].algorithm;
  };
  const MeasuredCollective fast{"broadcast", 64, 64, 2e-6}, slow{"broadcast", 64, 64, 1e-4};
  EXPECT_EQ(chosenWith({}), "optimal tree");
  EXPECT_EQ(chosenWith({slow}), "optimal tree");
  EXPECT_EQ(chosenWith({fast}), "MPI_Bcast");
  // Nothing is known for another number of ranks, for another operation, or if sizes differ.
  EXPECT_EQ(chosenWith({{"broadcast", 32, 64, 2e-6}}), "optimal tree");
  EXPECT_EQ(chosenWith({{"scatter", 64, 64, 2e-6}}), "optimal tree");
  EXPECT_EQ(chosenWith({fast}, 16), "optimal tree");
}

TEST(ChosenSchedule, SendsThatWaitForTheSameReceiverTakeLongerThanTheLinearSchedule) {
  const Machine machine = onInfiniband({}).machine;
  CollectiveFinding finding;
  finding.operation = Collective::AllToAll;
  finding.communicator.members = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  finding.instances.resize(1);
  const auto decided = [&](std::uint64_t bytes, bool replayed) {
    finding.bytes = finding.leastBytes = bytes;
    return chooseSchedule(finding, machine, replayed).prediction;
  };
  // On SMPI (examples/collectives) such a loop takes at least 163 us, and the schedule less than
  // 40.
  EXPECT_EQ(decided(16384, true).algorithm, "linear");
  EXPECT_GT(decided(16384, true).writtenSeconds, 3 * decided(16384, true).seconds);
  EXPECT_EQ(decided(16384, false).gain(), 0);
  EXPECT_EQ(decided(16383, true).writtenSeconds, decided(16383, false).writtenSeconds);
}

TEST(ChosenSchedule, OneLoopMayGoByAScheduleAndAnotherBeShared) {
  LoopRun run(16);
  const int other = run.addSite(40);
  SendLists lists(16);
  for (int rank = 0; rank < 16; ++rank)
    for (int distance = 1; distance < 12; ++distance)
      lists[static_cast<std::size_t>(rank)].push_back((rank + distance) % 16);
  for (int instance = 0; instance < 3; ++instance) {
    run.instance(Collective::Broadcast);
    run.phase(lists, other);
  }
  for (RankProfile &rank : run.profile.ranks)
    for (Event &event : rank.events)
      if (event.site == other || event.function == MpiFunctionId::Irecv) {
        event.tag = 5;
        event.call = noSite;
      }
  const ProfilePlan planned =
      planOf(run, inSource(Collective::Broadcast), onInfiniband(RunReplay::None));
  EXPECT_EQ(findSite(planned, loopLine)->transformation, "collectives")
      << sentenceOf(findSite(planned, loopLine)->of<SiteCollective>().refusal);
  EXPECT_EQ(findSite(planned, 40)->transformation, "message-sharing")
      << sentenceOf(findSite(planned, 40)->of<SiteSharing>().refusal);
  EXPECT_EQ(planned.plan.of<PlannedCollectives>().collectives.size(), 1U);
  EXPECT_EQ(planned.plan.of<SharedExchanges>().exchanges.size(), 1U);
}
