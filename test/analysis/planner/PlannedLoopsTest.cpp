// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops the planner rewrites, which it leaves alone and why, and what it counts.

#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/sharing/SharedExchanges.h"

using namespace sendwright;

namespace {

/// A unit that says of the loop in line 10 that it is left alone for `refusal`, or what the loop
/// calls.
ProfiledUnit unitOf(const RunBuilder &run, const std::string &refusal,
                    std::vector<std::string> calls = {}) {
  UnitSummary unit;
  unit.loops.push_back({run.profile.sites[0], refusal, std::move(calls)});
  return {"app.c", encodeUnitSummary(unit)};
}

/// A unit that defines `pack`.
ProfiledUnit packingUnit(const std::string &waits) {
  UnitSummary unit;
  FunctionFacts &facts = unit.functions["pack"];
  facts.mayWait = !waits.empty();
  facts.reason = waits;
  return {"pack.c", encodeUnitSummary(unit)};
}

} // namespace

TEST(PlannedLoops, WhatTheCompilerWouldLeaveIsLeft) {
  const auto planWith = [](const auto &...units) {
    RunBuilder run(4);
    run.phase(first, run.addSite(10));
    run.phase(second, run.addSite(20));
    run.barrier();
    run.profile.units = {units(run)...};
    return planOf(run);
  };
  const auto refuses = [](const RunBuilder &run) { return unitOf(run, "calls through a pointer"); };
  const auto callsPack = [](const RunBuilder &run) { return unitOf(run, "", {"pack"}); };
  const auto harmless = [](const RunBuilder &) { return packingUnit(""); };
  const auto waits = [](const RunBuilder &) { return packingUnit("calls usleep"); };
  const ProfilePlan left = planWith(refuses);
  expectLeft(left, 10, LeaveReason::Refused,
             "the compiler would leave it: it calls through a pointer");
  EXPECT_TRUE(findSite(left, 10)->of<SiteOrdering>().figures.empty())
      << "nothing is predicted for it";
  EXPECT_EQ(findSite(left, 10)->gain, 0);
  EXPECT_EQ(sentenceOf(findSite(left, 10)->of<SiteSharing>().refusal),
            "the compiler would leave the loop as written");
  expectLeft(planWith(callsPack), 10, LeaveReason::Refused,
             "it calls pack, which was not compiled with the plugin");
  expectLeft(planWith(callsPack, waits), 10, LeaveReason::Refused,
             "it calls pack, which calls usleep");
  for (const ProfilePlan &taken : {planWith(), planWith(callsPack, harmless),
                                   planWith(refuses, harmless, callsPack)}) // a loop of a header
    EXPECT_EQ(findSite(taken, 10)->decision, Decision::Rewrite) << findSite(taken, 10)->reason;
}

TEST(PlannedLoops, ALoopInOneThatIsLeftIsTakenItself) {
  RunBuilder run(4);
  const int outer = run.addSite(10), inner = run.addSite(12);
  run.profile.units = {unitOf(run, "calls usleep, which may wait outside MPI")};
  for (int rank = 1; rank < 4; ++rank)
    run.post(rank, 0);
  run.enter(0, outer);
  for (const std::vector<int> &part : {std::vector<int>{1}, std::vector<int>{2, 3}}) {
    run.enter(0, inner);
    for (int destination : part)
      run.send(0, destination, 8, inner);
    run.leave(0, inner);
  }
  run.leave(0, outer);
  for (int rank = 1; rank < 4; ++rank)
    run.waitAll(rank);
  run.phase(second, run.addSite(20));
  run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(findSite(plan, 10), nullptr) << "it sends nothing itself";
  EXPECT_EQ(findSite(plan, 12)->decision, Decision::Rewrite) << findSite(plan, 12)->reason;
}

TEST(PlannedLoops, OverlapThatWouldBeLostDecides) {
  auto makeRun = [](double seconds) {
    RunBuilder run(4);
    const int pre = run.addSite(10), post = run.addSite(20);
    run.post(1, 0);
    run.post(2, 0);
    run.post(3, 0);
    run.enter(0, pre);
    for (int destination : {1, 2, 3}) {
      run.compute(0, seconds);
      run.send(0, destination, 8, pre);
    }
    run.leave(0, pre);
    for (int rank = 1; rank < 4; ++rank)
      run.waitAll(rank);
    run.phase(second, post);
    run.barrier();
    return run;
  };
  const ProfilePlan lost = planOf(makeRun(100e-6));
  expectLeft(lost, 10, LeaveReason::OverlapLost, "between its sends");
  EXPECT_NEAR(findSite(lost, 10)->of<SiteOrdering>().figures[0].overlapLost, 200e-6, 1e-12)
      << "what comes before the first send delays nothing";
  const ProfilePlan small = planOf(makeRun(1e-6));
  EXPECT_EQ(findSite(small, 10)->decision, Decision::Rewrite) << findSite(small, 10)->reason;
}

TEST(PlannedLoops, InstantiationsOfALoopAreDecidedApart) {
  RunBuilder run(4);
  const int ordered = run.addSite(10), single = run.addSite(10);
  run.profile.sites[ordered].instantiation = "T = int";
  run.profile.sites[single].instantiation = "T = char";
  run.phase(first, ordered);
  run.phase(second, run.addSite(20));
  run.barrier();
  run.phase({{1}, {2}, {3}, {0}}, single);
  run.barrier();
  const ProfilePlan plan = planOf(run);
  ASSERT_EQ(plan.plan.sites.size(), 3u);
  const SitePlan &one = plan.plan.sites[0], &other = plan.plan.sites[1];
  EXPECT_EQ(one.site.instantiation, "T = int");
  EXPECT_EQ(one.decision, Decision::Rewrite) << one.reason;
  EXPECT_EQ(one.sends, 6u);
  EXPECT_EQ(other.site.instantiation, "T = char");
  EXPECT_EQ(plan.reasons[1], LeaveReason::OneDestination) << other.reason;
  EXPECT_EQ(other.sends, 4u);
}

TEST(PlannedLoops, SynchronousSendsAreLeft) {
  RunBuilder run(4);
  run.phase(first, run.addSite(10), 8, MpiFunctionId::Ssend);
  run.phase(second, run.addSite(20));
  run.barrier();
  expectLeft(planOf(run), 10, LeaveReason::SynchronousSends, "sends are synchronous (MPI_Ssend)");
}

TEST(PlannedLoops, ASendThatWaitsForItsReplyIsLeft) {
  RunBuilder run(3);
  const int site = run.addSite(10), server = run.addSite(20);
  run.enter(0, site);
  for (int worker : {1, 2}) {
    run.send(0, worker, 8, site);
    run.receive(0, worker, site);
  }
  run.leave(0, site);
  for (int worker : {1, 2}) {
    run.receive(worker, 0);
    run.enter(worker, server);
    run.send(worker, 0, 8, server);
    run.leave(worker, server);
  }
  run.barrier();
  const ProfilePlan plan = planOf(run);
  expectLeft(plan, 10, LeaveReason::WaitsForReply, "it receives or waits between its sends");
  expectLeft(plan, 20, LeaveReason::OneDestination, "one destination in each execution");
}

TEST(PlannedLoops, ANonblockingSendThatIsWaitedForAtOnceIsLeft) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  run.enter(0, site);
  for (int worker : {1, 2}) {
    run.postSend(0, worker, 8, site);
    run.waitAll(0);
  }
  run.leave(0, site);
  for (int worker : {1, 2})
    run.receive(worker, 0);
  run.barrier();
  expectLeft(planOf(run), 10, LeaveReason::SeparatedSends,
             "each send is waited for before the next (MPI_Waitall)");
}

TEST(PlannedLoops, ANonblockingSendThatIsWaitedForWithItsReplyIsLeft) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  run.enter(0, site);
  for (int worker : {1, 2}) {
    run.post(0, worker);
    run.postSend(0, worker, 8, site);
    run.waitAll(0);
  }
  run.leave(0, site);
  for (int worker : {1, 2}) {
    run.receive(worker, 0);
    run.send(worker, 0, 8, noSite);
  }
  run.barrier();
  expectLeft(planOf(run), 10, LeaveReason::WaitsForReply,
             "it receives or waits between its sends (MPI_Waitall)");
}

TEST(PlannedLoops, IntercommunicatorsAreLeft) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  const int bridge = run.addCommunicator({0, 1}, true);
  run.enter(0, site);
  run.send(0, 2, 8, site, MpiFunctionId::Send, bridge);
  run.send(0, 3, 8, site, MpiFunctionId::Send, bridge);
  run.leave(0, site);
  run.barrier();
  expectLeft(planOf(run), 10, LeaveReason::OtherGroup, "another group");
}

TEST(PlannedLoops, TheOuterLoopIsTakenWhereItHasMoreDestinations) {
  RunBuilder run(4);
  const int outer = run.addSite(10), inner = run.addSite(12), post = run.addSite(20);
  for (int iteration = 0; iteration < 2; ++iteration) {
    for (int rank : {1, 2, 3})
      run.post(rank, 0);
    run.enter(0, outer);
    for (int destination : {1, 2, 3}) {
      run.enter(0, inner);
      run.send(0, destination, 8, inner);
      run.leave(0, inner);
    }
    run.leave(0, outer);
    for (int rank : {1, 2, 3})
      run.waitAll(rank);
    run.phase(second, post);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  ASSERT_NE(findSite(plan, 10), nullptr);
  EXPECT_EQ(findSite(plan, 10)->decision, Decision::Rewrite) << findSite(plan, 10)->reason;
  EXPECT_EQ(findSite(plan, 10)->sends, 6u);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  expectLeft(plan, 12, LeaveReason::InRewrittenLoop, "app.c:10");
}

TEST(PlannedLoops, TheInnerLoopIsTakenWhereTheOuterOneWaits) {
  RunBuilder run(4);
  const int iterations = run.addSite(5), pre = run.addSite(10), post = run.addSite(20);
  for (int rank = 0; rank < 4; ++rank)
    run.enter(rank, iterations);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.phase(first, pre);
    run.phase(second, post);
    run.barrier();
  }
  for (int rank = 0; rank < 4; ++rank)
    run.leave(rank, iterations);
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(findSite(plan, 5), nullptr) << "it has no sends of its own";
  EXPECT_EQ(findSite(plan, 10)->decision, Decision::Rewrite) << findSite(plan, 10)->reason;
}

TEST(PlannedLoops, TheInnerLoopIsTakenWhereTheOuterOneRepeatsIt) {
  // A producer that never waits: one batch for the whole run would hold every message back.
  RunBuilder run(4);
  const int iterations = run.addSite(5), pre = run.addSite(10), post = run.addSite(20);
  run.enter(0, iterations);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.enter(0, pre);
    for (int destination : {1, 2, 3})
      run.send(0, destination, 8, pre);
    run.leave(0, pre);
  }
  run.leave(0, iterations);
  for (int rank : {1, 2, 3})
    for (int iteration = 0; iteration < 3; ++iteration)
      run.receive(rank, 0);
  run.phase(second, post);
  run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(findSite(plan, 5), nullptr);
  EXPECT_EQ(findSite(plan, 10)->of<SiteOrdering>().figures[0].messages, 3u);
}

TEST(PlannedLoops, TheInnerLoopIsTakenWhereTheOuterOneSendsToo) {
  // Rank 0 reports to rank 4 before each exchange; it enters the exchange without a call that
  // waits.
  RunBuilder run(5);
  const int iterations = run.addSite(5), pre = run.addSite(10), post = run.addSite(20);
  for (int rank = 0; rank < 5; ++rank)
    run.enter(rank, iterations);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.send(0, 4, 8, iterations);
    run.phase({{1, 2, 3}, {}, {}, {}, {}}, pre);
    run.receive(4, 0);
    run.phase({{}, {0}, {0}, {0, 1, 2}, {}}, post);
    run.barrier();
  }
  for (int rank = 0; rank < 5; ++rank)
    run.leave(rank, iterations);
  const ProfilePlan plan = planOf(run);
  expectLeft(plan, 5, LeaveReason::WaitsForReply, "it receives or waits between its sends");
  EXPECT_EQ(findSite(plan, 10)->sends, 9u);
  EXPECT_EQ(findSite(plan, 10)->of<SiteOrdering>().figures.at(0).messages, 3u);
}

TEST(PlannedLoops, SitesWithoutMarksAreCutAtCallsThatWait) {
  // As imported from a text trace: sends name their site, and loops have no beginning.
  RunBuilder marked(4);
  const int site = marked.addSite(10);
  for (int iteration = 0; iteration < 2; ++iteration) {
    marked.phase(first, site);
    marked.phase(second, site);
    marked.barrier();
  }
  RunBuilder run(4);
  run.profile.sites = marked.profile.sites;
  for (int rank = 0; rank < 4; ++rank) {
    RankProfile &copy = run.profile.ranks[rank];
    const RankProfile &original = marked.profile.ranks[rank];
    copy.events = original.events;
    for (const GrammarItem &item : original.sequence.rules[0])
      if (copy.events[item.symbol].kind == EventKind::Call)
        copy.sequence.rules[0].push_back(item);
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  const OrderingFigures *pre = findPhase(*findSite(plan, 10), "pre-communication");
  ASSERT_NE(pre, nullptr);
  expectFigures(*pre, 6, 4, 6, 4);
}

TEST(PlannedLoops, AThresholdLeavesSmallGains) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  run.phase(first, pre);
  run.phase(second, post);
  run.barrier();
  PlannerOptions options = defaults();
  options.thresholdPercent = 50; // the gain is a third
  expectLeft(planOf(run, options), 10, LeaveReason::BelowThreshold, "below the threshold of 50 %");
}

TEST(PlannedLoops, ALongRunIsPlannedFromItsFirstPartAndCountedWhole) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  run.phase(first, pre);
  run.phase(second, post);
  run.barrier();
  for (RankProfile &rank : run.profile.ranks) {
    rank.sequence.rules.push_back(rank.sequence.rules[0]);
    rank.sequence.rules[0] = {{1, true, 1000000}};
  }
  PlannerOptions options = defaults();
  options.events = 2000;
  const ProfilePlan plan = planOf(run, options);
  EXPECT_TRUE(plan.cut);
  const SitePlan *site = findSite(plan, 10);
  EXPECT_EQ(site->decision, Decision::Rewrite) << site->reason;
  EXPECT_NE(site->reason.find("from the first part of the run"), std::string::npos);
  EXPECT_EQ(site->sends, 6000000u);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
}

TEST(PlannedLoops, MessagesAreCountedByWhatHappensToThem) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  run.phase(first, pre, 100);
  run.phase(second, post, 10);
  run.barrier();
  run.send(2, 3, 1000, noSite);
  run.receive(3, 2);
  run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(plan.sends, 13u);
  EXPECT_EQ(plan.bytes, 600u + 60 + 1000);
  EXPECT_EQ(plan.sendsOutside, 1u);
  ASSERT_EQ(plan.reorderable.size(), 2u);
  EXPECT_EQ(plan.reorderable[0].sends, 6u);
  EXPECT_EQ(plan.reorderable[0].bytes, 600u);
}

TEST(PlannedLoops, ProfilesOfSeveralRankCountsShareAPlan) {
  Plan plan;
  RunBuilder four(4), two(2);
  four.addSite(10);
  ProgramSummary program;
  program.files = {"app.c"};
  program.functions["pack"].callees = {"copy"};
  addToPlan(plan, 4, planOf(four).plan, program);
  addToPlan(plan, 2, planOf(two).plan, {});
  RankCountPlan later = planOf(two).plan;
  later.profile = "later";
  program.files = {"app.c", "util.c"};
  program.functions["pack"].callees = {"move"};
  program.functions["unpack"].callees = {};
  addToPlan(plan, 2, later, program);
  ASSERT_EQ(plan.rankCounts.size(), 2u);
  EXPECT_EQ(plan.rankCounts[4].profile, "test.prof");
  EXPECT_EQ(plan.rankCounts[2].profile, "later");
  EXPECT_EQ(plan.functionFiles.size(), 2u);
  EXPECT_EQ(plan.functions.size(), 2u);
  EXPECT_EQ(plan.functions.at("pack").callees, (std::vector<std::string>{"copy", "move"}));
}

TEST(PlannedLoops, AnEmptyProfileGivesAnEmptyPlan) {
  RunBuilder run(2);
  const ProfilePlan plan = planOf(run);
  EXPECT_TRUE(plan.plan.sites.empty());
  EXPECT_EQ(plan.plan.of<PlannedOrders>().ranks.size(), 2u);
  EXPECT_TRUE(planProfile(Profile(), "none", defaults()).plan.sites.empty());
}

TEST(PlannedLoops, WhatTheCutLeftOfAPatternIsNone) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  run.phase(first, site);
  run.phase(second, site);
  run.barrier();
  for (RankProfile &rank : run.profile.ranks) {
    rank.sequence.rules.push_back(rank.sequence.rules[0]);
    rank.sequence.rules[0] = {{1, true, 1000}};
  }
  PlannerOptions options = defaults();
  options.events = 403; // in the middle of an iteration
  EXPECT_EQ(findSite(planOf(run, options), 10)->of<SiteOrdering>().figures.size(), 2u);
}

TEST(PlannedLoops, AnInnerLoopThatSendsAloneElsewhereKeepsItsBatches) {
  RunBuilder run(5);
  const int outer = run.addSite(10), inner = run.addSite(12), post = run.addSite(20);
  auto sendTo = [&](std::vector<int> destinations) {
    run.enter(0, inner);
    for (int destination : destinations)
      run.send(0, destination, 8, inner);
    run.leave(0, inner);
  };
  for (int rank : {1, 2, 3, 4})
    run.post(rank, 0);
  run.enter(0, outer);
  sendTo({1, 2});
  sendTo({3, 4});
  run.leave(0, outer);
  run.barrier();
  run.post(1, 0);
  run.post(2, 0);
  sendTo({1, 2});
  for (int rank : {1, 2, 3, 4})
    run.waitAll(rank);
  run.phase({{}, {}, {3, 4}, {}, {}}, post);
  run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(findSite(plan, 10), nullptr) << "its batch would end with the inner one's";
  EXPECT_EQ(orderOf(plan, 12, 0, {1, 2}), (std::vector<int>{2, 1}));
}

/// As if threads of a rank waited for others' messages at the same time: the profile has a single
/// order of their calls.
TEST(PlannedLoops, ALoopBehindACallThatWaitsForEverIsLeft) {
  RunBuilder run(4);
  const int one = run.addCommunicator({0, 1, 2, 3}), other = run.addCommunicator({3, 2, 1, 0});
  for (int rank = 0; rank < 4; ++rank)
    run.collective(rank, MpiFunctionId::Barrier, rank < 2 ? one : other);
  run.phase(first, run.addSite(10));
  run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(plan.stuckRanks, 4U);
  expectLeft(plan, 10, LeaveReason::InNoPhase, "no phase of communication has its messages");
}
