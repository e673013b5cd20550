// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of MPI_Sendrecv in which each rank exchanges blocks with every other: which loops are
// operations, what others lack, and when a schedule is faster.

#include "test/analysis/collectives/CollectiveLoop.h"
#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/program/UnitSummary.h"

using namespace sendwright;

namespace {

constexpr unsigned callLine = 11;

CollectiveInSource inSource(bool own = false) {
  return {Collective::AllToAll,
          identityAt(loopLine),
          {identityAt(callLine)},
          {identityAt(callLine)},
          "",
          "",
          own};
}

/// In each step every rank sends to the rank a certain distance above it, and receives from the
/// rank the same distance below; each step has a tag of its own.
struct PairwiseRun : RunBuilder {
  explicit PairwiseRun(int ranks) : RunBuilder(ranks), loop(addSite(loopLine)) {
    profile.callSites = {identityAt(callLine)};
  }

  void instance(std::uint64_t bytes = 8, int firstStep = 1) { instanceOf(loop, bytes, firstStep); }

  void instanceOf(int site, std::uint64_t bytes, int firstStep = 1) {
    const int ranks = static_cast<int>(profile.ranks.size());
    for (int rank = 0; rank < ranks; ++rank) {
      enter(rank, site);
      for (int step = firstStep; step < ranks; ++step)
        sendReceive(rank, (rank + step) % ranks, (rank - step + ranks) % ranks, step, bytes, site);
      leave(rank, site);
      for (Event &event : profile.ranks[static_cast<std::size_t>(rank)].events)
        event.call = event.kind == EventKind::Call ? 0 : noSite;
    }
  }

  /// Changes all calls so far.
  template <typename Change> void change(Change change) {
    for (RankProfile &rank : profile.ranks)
      for (Event &event : rank.events)
        if (event.kind == EventKind::Call)
          change(event);
  }

  const int loop;
};

CollectiveFinding findingOf(const PairwiseRun &run, bool own = false) {
  const Timeline timeline = unroll(run.profile, 1'000'000);
  return confirmCollectives(run.profile, timeline, findSendLoops(run.profile, timeline, {}),
                            {inSource(own)})
      .at(0);
}

ProfilePlan planOf(PairwiseRun &run, RunReplay replay, std::vector<ProfiledUnit> units = {}) {
  UnitSummary unit;
  unit.collectives = {inSource()};
  run.profile.units = std::move(units);
  run.profile.units.push_back({"app.c", encodeUnitSummary(unit)});
  return planProfile(run.profile, "test.prof", onInfiniband(replay));
}

} // namespace

TEST(PairwiseExchanges, AreOperationsWithATagForEachStep) {
  PairwiseRun run(5);
  run.instance();
  run.instance(800);
  const CollectiveFinding finding = findingOf(run);
  EXPECT_FALSE(finding.refusal);
  EXPECT_TRUE(finding.exchanges);
  EXPECT_EQ(finding.bytes, 800U);
  ASSERT_EQ(finding.instances.size(), 2U);
  EXPECT_EQ(finding.instances[0].messages.size(), 20U);
  EXPECT_EQ(finding.instances[0].entries.size(), 5U);
}

TEST(PairwiseExchanges, GoOverTheRankItselfWhereTheSourceSaysSo) {
  PairwiseRun run(3);
  run.instance(8, 0);
  EXPECT_EQ(obstacleOf(findingOf(run)), CollectiveObstacle::MessageToItself);
  EXPECT_FALSE(findingOf(run, true).refusal);
}

TEST(PairwiseExchanges, WhatIsNoneSaysWhy) {
  PairwiseRun fewer(5);
  fewer.instance(8, 2);
  EXPECT_EQ(refusalOf(findingOf(fewer)), "in one execution rank 0 sends nothing to rank 1");

  PairwiseRun any(3);
  any.instance();
  any.change([](Event &event) {
    event.matches = {{-1, event.receivePeer, event.receiveTag, 8}};
    event.receivePeer = anySource;
  });
  EXPECT_EQ(refusalOf(findingOf(any)), "a receive from any source at app.c:11 takes its messages");

  PairwiseRun replaced(3);
  replaced.instance();
  replaced.change([](Event &event) { event.function = MpiFunctionId::Sendrecv_replace; });
  EXPECT_EQ(refusalOf(findingOf(replaced)), "it sends by MPI_Sendrecv_replace");

  PairwiseRun met(3);
  met.instance();
  const int other = met.addSite(40);
  met.sendReceive(0, 1, 1, 1, 8, other);
  met.sendReceive(1, 0, 0, 1, 8, other);
  EXPECT_EQ(refusalOf(findingOf(met)), "rank 0 sends to rank 1 with tag 1 at app.c:40, too");
}

TEST(PairwiseExchanges, ASmallBlockGoesBySchedulesAndALargeOneAsWritten) {
  for (const auto &[bytes, algorithm] :
       {std::pair(std::uint64_t{8}, "Bruck"), std::pair(std::uint64_t{1'000'000}, "")})
    for (const RunReplay replay : {RunReplay::None, RunReplay::Choose}) {
      PairwiseRun run(64);
      for (int instance = 0; instance < 2; ++instance)
        run.instance(bytes);
      const ProfilePlan planned = planOf(run, replay);
      const SitePlan *site = findSite(planned, loopLine);
      ASSERT_TRUE(site && site->of<SiteCollective>().prediction);
      EXPECT_EQ(planned.plan.of<PlannedCollectives>().collectives.empty()
                    ? ""
                    : planned.plan.of<PlannedCollectives>().collectives[0].algorithm,
                algorithm)
          << sentenceOf(site->of<SiteCollective>().refusal) << site->reason;
      EXPECT_GT(site->of<SiteCollective>().prediction->writtenSeconds, 63e-6);
    }
}

TEST(PairwiseExchanges, OfATemplateAllInstantiationsAreOneOperation) {
  const auto planWith = [](std::uint64_t bytes, const std::string &problem) {
    PairwiseRun run(64);
    run.instance(bytes);
    const int other = run.addSite(loopLine);
    run.profile.sites[0].instantiation = "Value = int";
    run.profile.sites[static_cast<std::size_t>(other)].instantiation = "Value = double";
    run.instanceOf(other, 2 * bytes);
    UnitSummary refused;
    refused.collectives = {inSource()};
    refused.collectives[0].problem = problem;
    return planOf(run, RunReplay::Choose, {{"b.cpp", encodeUnitSummary(refused)}});
  };
  const ProfilePlan one = planWith(8, "");
  ASSERT_EQ(one.plan.of<PlannedCollectives>().collectives.size(), 1U);
  ASSERT_EQ(one.plan.sites.size(), 1U);
  EXPECT_EQ(one.plan.sites[0].site.instantiation, "");
  EXPECT_EQ(one.plan.sites[0].executions, 128U);
  EXPECT_EQ(one.plan.of<PlannedCollectives>().collectives[0].bytes, 16U);
  for (const ProfilePlan &apart : {planWith(1'000'000, ""), planWith(8, "the counts differ")}) {
    EXPECT_TRUE(apart.plan.of<PlannedCollectives>().collectives.empty());
    ASSERT_EQ(apart.plan.sites.size(), 2U);
    EXPECT_EQ(apart.plan.sites[0].site.instantiation, "Value = int");
    EXPECT_EQ(apart.plan.sites[0].executions, 64U);
    EXPECT_EQ(apart.plan.sites[1].of<SiteCollective>().refusal,
              apart.plan.sites[0].of<SiteCollective>().refusal);
    const std::string refusal = sentenceOf(apart.plan.sites[0].of<SiteCollective>().refusal);
    EXPECT_TRUE(refusal == "the counts differ" || refusal.starts_with("no schedule is predicted"))
        << refusal;
  }
}
