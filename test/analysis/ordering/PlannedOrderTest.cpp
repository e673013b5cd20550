// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orders that the planner gives to the loops that it rewrites, and their figures.

#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/ordering/ChosenOrders.h"
#include "analysis/ordering/PlannedOrders.h"

#include <random>

using namespace sendwright;

namespace {

SendLists randomLists(std::mt19937 &random, int ranks, int least, int most) {
  SendLists lists(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        lists[rank].push_back(other);
    std::shuffle(lists[rank].begin(), lists[rank].end(), random);
    lists[rank].resize(least + random() % (most - least + 1));
  }
  return lists;
}

} // namespace

TEST(PlannedOrder, OnePhasePairIsOrderedByTheSendsThatFollow) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.phase(first, pre);
    run.phase(second, post);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->decision, Decision::Rewrite) << site->reason;
  EXPECT_EQ(site->transformation, "message-ordering");
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  ASSERT_EQ(site->of<SiteOrdering>().figures.size(), 1u);
  // Rank 3 has three sends to do after its message, which came third and now comes first; rank 0
  // has one send after three of its own.
  expectFigures(site->of<SiteOrdering>().figures[0], 6, 4, 6, 4);
  EXPECT_EQ(site->of<SiteOrdering>().figures[0].key, "sends that follow");
  EXPECT_EQ(site->executions, 12u);
  EXPECT_EQ(site->sends, 18u);
  EXPECT_EQ(site->bytes, 18u * 8);
  expectLeft(plan, 20, LeaveReason::AlreadyOptimal, "the order as given is already optimal");
}

TEST(PlannedOrder, SeveralPhasePairsBetweenTwoSynchronisations) {
  RunBuilder run(4);
  const int sites[] = {run.addSite(10), run.addSite(20), run.addSite(30), run.addSite(40)};
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase(first, sites[0]);
    run.phase(second, sites[1]);
    run.barrier();
    run.phase({{1}, {3, 2, 0}, {0}, {0}}, sites[2]);
    run.phase({{1}, {0}, {0, 1, 3}, {0}}, sites[3]);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(orderOf(plan, 30, 1, {3, 2, 0}), (std::vector<int>{2, 3, 0}));
  expectFigures(findSite(plan, 30)->of<SiteOrdering>().figures[0], 5, 4, 6, 4);
}

TEST(PlannedOrder, OnlyOnePhaseIsOrderedByTheWorkThatFollows) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase(first, site);
    run.compute(3, 20e-6); // two sends on the default machine
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  const SitePlan *planned = findSite(plan, 10);
  expectFigures(planned->of<SiteOrdering>().figures[0], 5, 3, 5, 3);
  EXPECT_EQ(planned->of<SiteOrdering>().figures[0].key, "work that follows");
}

TEST(PlannedOrder, OneFunctionForBothPhases) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.phase(first, site);
    run.phase(second, site);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  const SitePlan *planned = findSite(plan, 10);
  ASSERT_EQ(planned->of<SiteOrdering>().figures.size(), 2u);
  const OrderingFigures *pre = findPhase(*planned, "pre-communication");
  const OrderingFigures *post = findPhase(*planned, "post-communication");
  ASSERT_TRUE(pre && post);
  expectFigures(*pre, 6, 4, 6, 4);
  expectFigures(*post, 3, 3, 3, 3);
}

TEST(PlannedOrder, OneFunctionWhereSomeRanksHaveNothingInTheFirstPhase) {
  // Rank 3 takes no part in the first phase; rank 2 sends nothing in the second.
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.phase({{1, 2}, {0, 2}, {0, 1}, {}}, site);
    run.phase({{1}, {0, 2, 3}, {}, {2, 1}}, site);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  const SitePlan *planned = findSite(plan, 10);
  ASSERT_NE(planned, nullptr);
  ASSERT_EQ(planned->of<SiteOrdering>().figures.size(), 2u);
  const OrderingFigures *pre = findPhase(*planned, "pre-communication, 0 to 2 sends a rank, 6");
  ASSERT_NE(pre, nullptr);
  // Keys 1, 3, 0: rank 2 sends to 1 before 0, and rank 1 has two sends and three afterwards.
  expectFigures(*pre, 5, 5, 5, 5);
}

TEST(PlannedOrder, FiguresAreThoseOfThePaperForRandomPatterns) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const SendLists pre = randomLists(random, 12, 1, 11), post = randomLists(random, 12, 1, 11);
    RunBuilder run(12);
    const int site = run.addSite(10);
    run.barrier();
    for (int iteration = 0; iteration < 2; ++iteration) {
      run.phase(pre, site);
      run.phase(post, site);
      run.barrier();
    }
    PlannerOptions options = defaults();
    options.thresholdPercent = 0;
    const ProfilePlan plan = planOf(run, options);
    const std::vector<double> key = receiverKeys(post, {});
    const OrderingFigures *figures = findPhase(*findSite(plan, 10), "pre-communication");
    ASSERT_NE(figures, nullptr);
    const SendLists best = orderByKey(pre, key, KeyOrder::Descending);
    expectFigures(*figures, completion(pre, key), completion(best, key),
                  completion(orderByKey(pre, key, KeyOrder::Ascending), key), lowerBound(pre, key));
  }
}

TEST(PlannedOrder, WhereNothingElseFollowsTheCriticalPathIsThePublishedKey) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 10; ++trial) {
    RunBuilder run(12);
    const int site = run.addSite(10);
    const SendLists pre = randomLists(random, 12, 1, 11), post = randomLists(random, 12, 1, 11);
    for (int iteration = 0; iteration < 2; ++iteration) {
      run.phase(pre, site);
      for (int rank = 0; rank < 12 && trial % 2 == 1; ++rank)
        run.compute(rank, 20e-6 * (rank % 5 + 1)); // for two sends or more
      run.phase(post, site);
      run.barrier();
    }
    const Timeline timeline = unroll(run.profile, 100000);
    const SendLoops loops = findSendLoops(run.profile, timeline, {});
    const FollowingPaths paths(timeline, defaultMachine());
    const std::vector<Pattern> patterns =
        findPatterns(timeline, loops, 16, "test.prof", &paths).patterns;
    const LoopOrdering published = chooseOrders(patterns, defaultMachine());
    const LoopOrdering critical = chooseOrders(patterns, defaultMachine(), OrderKey::CriticalPath);
    EXPECT_TRUE(published.orders == critical.orders) << trial;
    EXPECT_NEAR(published.given, critical.given, 1e-12) << trial;
    EXPECT_NEAR(published.planned, critical.planned, 1e-12) << trial;
  }
}

TEST(PlannedOrder, SubCommunicatorsSynchroniseTheirMembers) {
  RunBuilder run(6);
  const int site = run.addSite(10), after = run.addSite(20);
  const int half = run.addCommunicator({0, 1, 2, 3});
  for (int iteration = 0; iteration < 3; ++iteration) {
    run.phase({{1, 2, 3}, {0}, {0}, {0}, {}, {}}, site);
    run.phase({{1}, {0}, {0}, {0, 1, 2}, {}, {}}, after);
    for (int rank = 0; rank < 4; ++rank)
      run.collective(rank, MpiFunctionId::Allreduce, half);
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  expectFigures(findSite(plan, 10)->of<SiteOrdering>().figures[0], 6, 4, 6, 4);
  EXPECT_TRUE(plan.plan.of<PlannedOrders>().ranks[5].empty());
}

TEST(PlannedOrder, IterationsWithoutSynchronisationEndWhereThePatternComesAgain) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int iteration = 0; iteration < 10; ++iteration) {
    run.phase(first, pre);
    run.phase(second, post);
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  expectFigures(findSite(plan, 10)->of<SiteOrdering>().figures[0], 6, 4, 6, 4);
}

TEST(PlannedOrder, ASynchronisationAfterManyIterationsEndsNoneOfThem) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int iteration = 0; iteration < 10; ++iteration) {
    run.phase(first, pre);
    run.phase(second, post);
  }
  run.barrier();
  expectFigures(findSite(planOf(run), 10)->of<SiteOrdering>().figures[0], 6, 4, 6, 4);
}

TEST(PlannedOrder, UnequalWorkDecidesWithTheSends) {
  // Rank 3 has three sends afterwards, but rank 2 has work for five.
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase(first, pre);
    run.compute(2, 50e-6);
    run.phase(second, post);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(findSite(plan, 10)->of<SiteOrdering>().figures[0].key, "work + sends that follow");
}

TEST(PlannedOrder, WorkWithinTheNoiseOfARecordingIsIgnored) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  run.phase(first, pre);
  run.phase(second, post);
  run.barrier();
  // Before its barrier rank 1 computed for 62 us instead of 37 us, but every rank varied by more.
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (const Event &event : run.profile.ranks[rank].events) {
      EventStatistics statistics{10, 0, 0, 0, 0};
      if (event.function == MpiFunctionId::Barrier)
        statistics = {10, rank == 1 ? 600e-6 : 400e-6, 10e-6, 90e-6, 0};
      run.profile.ranks[rank].statistics.push_back(statistics);
    }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
}

TEST(PlannedOrder, OneInterruptionDoesNotLookLikeWork) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  run.phase(first, pre);
  run.phase(second, post);
  run.barrier();
  for (RankProfile &rank : run.profile.ranks)
    rank.statistics.assign(rank.events.size(), {100, 100e-6, 1e-6, 1e-6, 0});
  for (EventStatistics &statistics : run.profile.ranks[1].statistics) {
    statistics.before += 10e-3;
    statistics.beforeMaximum = 10e-3;
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(findSite(plan, 10)->of<SiteOrdering>().figures[0].key, "sends that follow");
}

SendLists everyoneOf(int ranks) {
  SendLists everyone(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        everyone[static_cast<std::size_t>(rank)].push_back(other);
  return everyone;
}

TEST(PlannedOrder, LargeMessagesAreStaggeredOneAtATime) {
  RunBuilder run(8);
  const int site = run.addSite(10);
  const SendLists everyone = everyoneOf(8);
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase(everyone, site, 100000);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  const SitePlan *planned = findSite(plan, 10);
  ASSERT_NE(planned, nullptr);
  EXPECT_EQ(planned->decision, Decision::Rewrite) << planned->reason;
  const OrderingFigures &figures = planned->of<SiteOrdering>().figures[0];
  EXPECT_EQ(figures.key, "staggered");
  EXPECT_EQ(figures.window, 1u);
  EXPECT_GT(figures.given, 1.5 * figures.planned);
  EXPECT_DOUBLE_EQ(figures.planned, figures.staggered);
  EXPECT_GT(figures.keyed, figures.staggered);
  EXPECT_NEAR(figures.planned, figures.lowerBound, 1e-12);
  for (int rank = 0; rank < 8; ++rank) {
    ASSERT_EQ(plan.plan.of<PlannedOrders>().ranks[rank].size(), 1u);
    const SendOrder &order = plan.plan.of<PlannedOrders>().ranks[rank][0].orders[0];
    EXPECT_EQ(order.window, 1u);
    EXPECT_EQ(order.destinations[0], (rank + 1) % 8);
  }
}

TEST(PlannedOrder, MessagesThatWaitForTheirReceiverAreStaggeredToo) {
  RunBuilder run(8);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase(everyoneOf(8), site, 4000); // 32 us on the link; latency and overheads are 50 us
    run.barrier();
  }
  PlannerOptions options = defaults();
  const auto keyWith = [&](double eagerLimit) {
    options.machine.between.eager_limit = eagerLimit;
    return findSite(planOf(run, options), 10)->of<SiteOrdering>().figures[0].key;
  };
  EXPECT_EQ(keyWith(4000), "nothing follows");
  EXPECT_EQ(keyWith(3999), "staggered");
}

TEST(PlannedOrder, LargeMessagesThatFollowCountByTheirLength) {
  // Rank 1 sends one large message afterwards, rank 2 three that are empty.
  RunBuilder run(3);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int iteration = 0; iteration < 2; ++iteration) {
    run.phase({{2, 1}, {0}, {0}}, pre, 100000);
    run.phase({{}, {0}, {}}, post, 100000);
    run.phase({{}, {}, {0, 1, 0}}, post, 0);
    run.barrier();
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2}), (std::vector<int>{1, 2}));
}

TEST(PlannedOrder, MeasuredIncastDecidesOnMessagesThatAreNotWaitedFor) {
  // Everyone to everyone in rotated order: the only gain is one message in flight at a time.
  SendLists rotated(8);
  for (int rank = 0; rank < 8; ++rank)
    for (int round = 1; round < 8; ++round)
      rotated[rank].push_back((rank + round) % 8);
  auto makeRun = [&](MpiFunctionId function) {
    RunBuilder run(8);
    run.phase(rotated, run.addSite(10), 100000, function);
    run.barrier();
    return run;
  };
  PlannerOptions measured = defaults();
  measured.machine.incast = {{4, 50000, 3}};
  expectLeft(planOf(makeRun(MpiFunctionId::Isend)), 10, LeaveReason::AlreadyOptimal,
             "the order as given is already optimal (predicted");
  expectLeft(planOf(makeRun(MpiFunctionId::Send), measured), 10, LeaveReason::AlreadyOptimal,
             "already optimal");
  const ProfilePlan plan = planOf(makeRun(MpiFunctionId::Isend), measured);
  const SitePlan *site = findSite(plan, 10);
  EXPECT_EQ(site->decision, Decision::Rewrite) << site->reason;
  EXPECT_NE(site->reason.find("one message in flight"), std::string::npos) << site->reason;
  EXPECT_EQ(plan.plan.of<PlannedOrders>().ranks[3][0].orders[0].window, 1u);
}
