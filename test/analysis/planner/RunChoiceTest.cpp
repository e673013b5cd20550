// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is chosen at each site if the whole run decides.

#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/planner/RunReasons.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/trace/TextTrace.h"

using namespace sendwright;

namespace {

PlannerOptions choosing(double thresholdPercent = 1) {
  PlannerOptions options = defaults();
  options.replay = RunReplay::Choose;
  options.thresholdPercent = thresholdPercent;
  return options;
}

/// Two rounds of a loop at line 10, after which the last receiver still has three sends to do at
/// line 20; then everyone computes.
RunBuilder phasePair(double seconds = 0) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int round = 0; round < 2; ++round) {
    run.phase(first, pre);
    run.phase(second, post);
    run.barrier();
    for (int rank = 0; rank < 4 && seconds > 0; ++rank)
      run.compute(rank, seconds);
  }
  return run;
}

RunChoice choose(const Profile &profile, const Machine &machine,
                 const std::vector<SiteCandidates> &sites, const RunChoiceOptions &options = {}) {
  const Timeline timeline = unroll(profile, 1'000'000);
  return chooseByReplay(profile, timeline, findSendLoops(profile, timeline, {}), machine, sites,
                        options);
}

/// Messages of 51 bytes, each of which takes 50 at a port.
Machine portsMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  machine.between.eager_limit = 100;
  return machine;
}

/// Candidate 0 of a site: `rank` sends in this order.
SiteCandidates ordersAt(int site, std::vector<std::vector<SendOrder>> orders) {
  SiteCandidates candidates;
  candidates.site = site;
  candidates.candidates.emplace_back();
  candidates.candidates[0].stem = "message-ordering";
  candidates.candidates[0].name = "an order";
  candidates.candidates[0].addTo = [orders = std::move(orders)](RankCountPlan &plan,
                                                                std::uint32_t number) {
    std::vector<std::vector<RankSite>> &ranks = plan.of<PlannedOrders>().ranks;
    ranks.resize(std::max(ranks.size(), orders.size()));
    for (std::size_t rank = 0; rank < orders.size(); ++rank)
      if (!orders[rank].empty())
        ranks[rank].push_back({number, orders[rank]});
  };
  candidates.proposed = 0;
  return candidates;
}

SiteCandidates orderAt(int site, int ranks, int rank, std::vector<int> order) {
  std::vector<std::vector<SendOrder>> orders(static_cast<std::size_t>(ranks));
  orders[static_cast<std::size_t>(rank)] = {{std::move(order), 0, 1}};
  return ordersAt(site, std::move(orders));
}

/// The site of `candidates`: the site at this line of a text trace.
int siteAt(const Profile &profile, unsigned line) {
  for (std::size_t site = 0; site < profile.sites.size(); ++site)
    if (profile.sites[site].line == line)
      return static_cast<int>(site);
  return noSite;
}

} // namespace

TEST(RunChoice, AnOrderThatShortensTheRunIsTaken) {
  const ProfilePlan plan = planOf(phasePair(), choosing());
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->transformation, "message-ordering") << site->reason;
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3}), (std::vector<int>{3, 1, 2}));
  EXPECT_NE(site->reason.find("; the whole run is predicted to take "), std::string::npos);
  ASSERT_TRUE(plan.run);
  ASSERT_EQ(plan.run->sites.size(), 2U);
  EXPECT_EQ(plan.run->sites[0].choiceText, "order, published key");
  EXPECT_EQ(plan.run->sites[0].before, plan.run->asWritten);
  EXPECT_EQ(plan.run->sites[0].after, plan.run->chosen);
  EXPECT_LT(plan.run->chosen, plan.run->asWritten);
  EXPECT_FALSE(plan.run->cut);
  expectLeft(plan, 20, LeaveReason::AlreadyOptimal, "the order as given is already optimal");
  EXPECT_FALSE(plan.run->sites[1].tried);
}

TEST(RunChoice, WhatGainsLittleOfTheWholeRunIsLeft) {
  const RunBuilder run = phasePair(0.01);
  EXPECT_EQ(findSite(planOf(run), 10)->decision, Decision::Rewrite) << "by its own model";
  const ProfilePlan plan = planOf(run, choosing());
  expectLeft(plan, 10, LeaveReason::BelowThreshold, "the whole run would gain 0.");
  EXPECT_NE(
      findSite(plan, 10)->reason.find("%, below the threshold of 1 % (order, published key: "),
      std::string::npos)
      << findSite(plan, 10)->reason;
  EXPECT_EQ(plan.run->chosen, plan.run->asWritten);
  EXPECT_TRUE(plan.run->sites[0].tried);
  EXPECT_EQ(findSite(planOf(run, choosing(0)), 10)->decision, Decision::Rewrite);
}

TEST(RunChoice, AReportChangesNothing) {
  PlannerOptions options = defaults();
  options.replay = RunReplay::Report;
  const ProfilePlan plan = planOf(phasePair(0.01), options);
  EXPECT_EQ(findSite(plan, 10)->reason, findSite(planOf(phasePair(0.01)), 10)->reason);
  EXPECT_EQ(plan.run->sites[0].choiceText, "order, published key");
  EXPECT_LT(plan.run->chosen, plan.run->asWritten);
  EXPECT_LT(plan.run->sites[0].gainPercent(), 1);
  EXPECT_EQ(plan.run->replays, 2U);
}

TEST(RunChoice, SharingAndOrderAreComparedByTheWholeRun) {
  // Rank 0 exchanges messages with all others, and each of these with the next two.
  constexpr int ranks = 16;
  SendLists lists(ranks);
  for (int rank = 1; rank < ranks; ++rank) {
    lists[0].push_back(rank);
    lists[rank] = {0, rank % (ranks - 1) + 1, (rank + 1) % (ranks - 1) + 1};
  }
  RunBuilder run(ranks);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 3; ++instance)
    run.phase(lists, site, 64);
  const ProfilePlan shared = planOf(run, choosing());
  EXPECT_EQ(findSite(shared, 10)->transformation, "message-sharing")
      << findSite(shared, 10)->reason;
  EXPECT_FALSE(findSite(shared, 10)->of<SiteSharing>().refusal);
  EXPECT_EQ(shared.plan.of<SharedExchanges>().exchanges.size(), 1U);
  EXPECT_EQ(shared.run->sites[0].choiceText, "sharing");
  EXPECT_LT(shared.run->chosen, 0.9 * shared.run->asWritten);

  // In a run that shares messages, ranks meet before every collective call: then sharing does not
  // pay.
  for (int barrier = 0; barrier < 200; ++barrier)
    run.barrier();
  const ProfilePlan direct = planOf(run, choosing());
  EXPECT_NE(findSite(direct, 10)->transformation, "message-sharing");
  EXPECT_TRUE(findSite(direct, 10)->of<SiteSharing>().refusal);
  EXPECT_LE(direct.run->chosen, direct.run->asWritten);
}

TEST(RunChoice, ReceiversAreRankedByTheCriticalPath) {
  // Rank 1 computes for a little more than one send after its message; rank 2 passes its message on
  // to rank 3, which then has ten times as much to compute.
  RunBuilder run(4);
  const int site = run.addSite(10), chain = run.addSite(20);
  for (int round = 0; round < 2; ++round) {
    run.enter(0, site);
    run.send(0, 1, 8, site);
    run.send(0, 2, 8, site);
    run.leave(0, site);
    run.receive(1, 0);
    run.compute(1, 30e-6);
    run.receive(2, 0);
    run.send(2, 3, 8, chain);
    run.receive(3, 2);
    run.compute(3, 300e-6);
    run.barrier();
  }
  EXPECT_EQ(findSite(planOf(run), 10)->decision, Decision::Leave) << "by the published key";
  const ProfilePlan plan = planOf(run, choosing());
  EXPECT_EQ(plan.run->sites[0].choiceText, "order, critical path");
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2}), (std::vector<int>{2, 1}));
  EXPECT_NE(findSite(plan, 10)->reason.find("ordered by the critical path that follows"),
            std::string::npos)
      << findSite(plan, 10)->reason;
}

TEST(RunChoice, AnOrderThatLeavesTheLastRankAsItIsMayShortenTheRun) {
  // In one phase rank 0 is the last under any order. Ranks do not synchronise, so the next phase
  // begins earlier at ranks that got their messages sooner.
  const SendLists pre{{3, 1, 2, 4}, {}, {1}, {2}, {3, 1}};
  const SendLists post{{2, 4}, {2}, {3}, {0, 1, 2, 4}, {0, 2}};
  const auto makeRun = [&](bool synchronised) {
    RunBuilder run(5);
    const int site = run.addSite(10), after = run.addSite(20);
    for (int round = 0; round < 4; ++round) {
      run.phase(pre, site);
      run.phase(post, after);
      if (synchronised)
        run.barrier();
    }
    return run;
  };
  expectLeft(planOf(makeRun(false)), 10, LeaveReason::AlreadyOptimal, "already optimal");
  const ProfilePlan plan = planOf(makeRun(false), choosing());
  EXPECT_EQ(plan.run->sites[0].choiceText, "order, key alone");
  EXPECT_LT(plan.run->chosen, 0.95 * plan.run->asWritten);
  EXPECT_EQ(orderOf(plan, 10, 0, {1, 2, 3, 4}), (std::vector<int>{3, 4, 1, 2}));
  EXPECT_NE(findSite(plan, 10)->reason.find("(max c'_p stays 6); the whole run is predicted"),
            std::string::npos)
      << findSite(plan, 10)->reason;

  const ProfilePlan left = planOf(makeRun(true), choosing());
  EXPECT_TRUE(left.run->sites[0].tried);
  EXPECT_EQ(findSite(left, 10)->decision, Decision::Leave) << findSite(left, 10)->reason;
}

TEST(RunChoice, ReceiversWithEqualKeysAreNotTried) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int round = 0; round < 4; ++round)
    run.phase({{3, 1}, {2, 0}, {1, 3}, {0, 2}}, site);
  const ProfilePlan plan = planOf(run, choosing());
  for (const SiteOutcome &outcome : plan.run->sites)
    EXPECT_EQ(outcome.bestText.find("order"), std::string::npos) << outcome.bestText;
}

TEST(RunChoice, OfTwoSitesThatGetInEachOthersWayOneIsRewritten) {
  // Both ranks send to 2 and then to 3, and collide there. Either of them may swap its sends, not
  // both.
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 4\n"
                                         "rank 0\nsend 2 bytes=51 site=a.c:1\n"
                                         "send 3 bytes=51 site=a.c:1\n"
                                         "rank 1\nsend 2 bytes=51 site=a.c:2\n"
                                         "send 3 bytes=51 site=a.c:2\n"
                                         "rank 2\nirecv 0 req=1\nirecv 1 req=2\nwait req=1,2\n"
                                         "rank 3\nirecv 0 req=1\nirecv 1 req=2\nwait req=1,2\n"
                                         "compute 20\n",
                                         "run.trace");
  std::vector<SiteCandidates> sites{orderAt(siteAt(profile, 1), 4, 0, {3, 2}),
                                    orderAt(siteAt(profile, 2), 4, 1, {3, 2})};
  const RunChoice run = choose(profile, portsMachine(), sites);
  EXPECT_LT(run.chosen, run.asWritten);
  ASSERT_EQ(run.sites.size(), 2U);
  const bool firstTaken = run.sites[0].choice != 0;
  EXPECT_NE(firstTaken, run.sites[1].choice != 0);
  const SiteOutcome &left = run.sites[firstTaken ? 1 : 0];
  EXPECT_TRUE(left.tried);
  EXPECT_GE(left.after, left.before);
  EXPECT_EQ(left.before, run.chosen);
}

TEST(RunChoice, TwoSitesThatHelpOnlyTogetherAreBothRewritten) {
  // Two programs in one: the run ends with the later of them.
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 6\n"
                                         "rank 0\nsend 1 bytes=51 site=a.c:1\n"
                                         "send 2 bytes=51 site=a.c:1\n"
                                         "rank 1\nrecv 0\nrank 2\nrecv 0\ncompute 100\n"
                                         "rank 3\nsend 4 bytes=51 site=a.c:2\n"
                                         "send 5 bytes=51 site=a.c:2\n"
                                         "rank 4\nrecv 3\nrank 5\nrecv 3\ncompute 100\n",
                                         "run.trace");
  std::vector<SiteCandidates> sites{orderAt(siteAt(profile, 1), 6, 0, {2, 1}),
                                    orderAt(siteAt(profile, 2), 6, 3, {5, 4})};
  const RunChoice run = choose(profile, portsMachine(), sites);
  EXPECT_EQ(run.asWritten, 2 + 54 + 50 + 13 + 100);
  EXPECT_EQ(run.chosen, 2 + 50 + 13 + 100);
  for (const SiteOutcome &site : run.sites)
    EXPECT_EQ(site.choice, 1U);
}

TEST(RunChoice, AWindowThatReceiversWouldNeverOpenIsNotTaken) {
  // Each rank waits for its first message to leave before the next message, and only then receives.
  std::string text = "sendwright-trace 1\nranks 3\n";
  for (int rank = 0; rank < 3; ++rank) {
    const std::string left = std::to_string((rank + 2) % 3), right = std::to_string((rank + 1) % 3);
    text += "rank " + std::to_string(rank) + "\n";
    text += "isend " + left + " bytes=101 site=a.c:1 req=1\n";
    text += "isend " + right + " bytes=101 site=a.c:1 req=2\n";
    text += "recv " + left + "\nrecv " + right + "\nwait req=1,2\n";
  }
  const Profile profile = parseTextTrace(text, "run.trace");
  std::vector<std::vector<SendOrder>> orders;
  for (int rank = 0; rank < 3; ++rank)
    orders.push_back({{{(rank + 1) % 3, (rank + 2) % 3}, 1, 1}});
  const std::vector<SiteCandidates> sites{ordersAt(siteAt(profile, 1), std::move(orders))};
  const RunChoice run = choose(profile, portsMachine(), sites);
  EXPECT_EQ(run.sites[0].choice, 0U);
  EXPECT_TRUE(run.sites[0].endless());
  EXPECT_EQ(textOf(judgeRun(run.sites[0], 1)), "with an order ranks would wait for one another");
}

TEST(RunChoice, ARunThatIsCutEndsUnderEveryCandidate) {
  // Rank 0 exchanges messages with all others, and no rank ever synchronises.
  SendLists lists(8);
  for (int rank = 1; rank < 8; ++rank) {
    lists[0].push_back(rank);
    lists[static_cast<std::size_t>(rank)] = {0, rank % 7 + 1};
  }
  RunBuilder run(8);
  const int site = run.addSite(10);
  for (int round = 0; round < 300; ++round)
    run.phase(lists, site);
  for (const std::uint64_t events : {700, 1113, 2001}) {
    PlannerOptions options = choosing(0);
    options.events = events;
    const ProfilePlan plan = planOf(run, options);
    EXPECT_TRUE(plan.run->cut);
    EXPECT_EQ(plan.run->stuck, 0U) << plan.run->stuckAt;
    EXPECT_TRUE(plan.run->sites[0].tried);
    EXPECT_FALSE(plan.run->sites[0].endless());
  }
}

TEST(RunChoice, TheRunIsReplayedAsItWasUnrolled) {
  const RunBuilder run = phasePair(1);
  Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  const auto seconds = [&](std::uint64_t mostEvents) {
    RunChoiceOptions options;
    options.mostEvents = mostEvents;
    return chooseByReplay(run.profile, timeline, loops, defaultMachine(), {}, options).asWritten;
  };
  const double whole = seconds(1'000'000), part = seconds(40);
  EXPECT_GT(whole, part);
  for (RankTimeline &rank : timeline.ranks)
    for (double &work : rank.work)
      work *= 2;
  EXPECT_GT(seconds(1'000'000), whole + 1); // the given timeline
  EXPECT_EQ(seconds(40), part);             // unrolled anew
}

TEST(RunChoice, ALoopBehindThePartThatIsReplayedSaysSo) {
  RunBuilder run(4);
  const int early = run.addSite(10), late = run.addSite(20);
  for (int round = 0; round < 100; ++round) {
    run.phase(first, early);
    run.barrier();
  }
  run.phase(first, late);
  RunChoiceOptions options;
  options.mostEvents = 400;
  const RunChoice choice =
      choose(run.profile, defaultMachine(),
             {orderAt(early, 4, 0, {3, 1, 2}), orderAt(late, 4, 0, {3, 1, 2})}, options);
  EXPECT_TRUE(choice.sites[0].reached);
  EXPECT_FALSE(choice.sites[1].reached);
  EXPECT_EQ(leaveReasonOf(judgeRun(choice.sites[1], 1)), LeaveReason::NeverSeen);
}

TEST(RunChoice, TheSearchIsBounded) {
  const RunBuilder run = phasePair();
  std::vector<SiteCandidates> sites(40, orderAt(0, 4, 0, {3, 1, 2}));
  RunChoiceOptions options;
  options.mostEvents = 10;
  options.allEvents = 10;
  const RunChoice choice = choose(run.profile, defaultMachine(), sites, options);
  EXPECT_TRUE(choice.cut);
  EXPECT_LE(choice.events, 10U);
  EXPECT_LE(choice.replays, 2 * sites.size() + 2);
}
