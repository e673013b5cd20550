// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the planner sends messages through other ranks, and what the plan then holds.

#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/planner/SynchronizationPlanner.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/sharing/SharedExchanges.h"

#include <set>
#include <string_view>

using namespace sendwright;

namespace {

constexpr int sharingRanks = 16;

/// Rank 0 exchanges messages with all others, and each of these with the next two.
SendLists hubLists() {
  SendLists lists(sharingRanks);
  for (int rank = 1; rank < sharingRanks; ++rank) {
    lists[0].push_back(rank);
    lists[rank] = {0, rank % (sharingRanks - 1) + 1, (rank + 1) % (sharingRanks - 1) + 1};
  }
  return lists;
}

RunBuilder hubRun(std::uint64_t bytes = 64) {
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 3; ++instance)
    run.phase(hubLists(), site, bytes);
  run.barrier();
  return run;
}

} // namespace

TEST(PlannedSharing, AHubOfSmallMessagesIsShared) {
  const ProfilePlan plan = planOf(hubRun());
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->decision, Decision::Rewrite) << site->reason;
  EXPECT_EQ(site->transformation, "message-sharing") << sentenceOf(site->of<SiteSharing>().refusal);
  EXPECT_EQ(plan.reasons[0], LeaveReason::None);
  EXPECT_NE(site->reason.find("messages travel through other ranks: "), std::string::npos);
  EXPECT_NE(site->reason.find("instead of 30 (predicted"), std::string::npos) << site->reason;
  ASSERT_TRUE(site->of<SiteSharing>().prediction);
  EXPECT_EQ(site->of<SiteSharing>().prediction->direct.maxLoad, 30);
  EXPECT_LT(site->of<SiteSharing>().prediction->shared.maxLoad, 30);
  // One barrier for three instances: four rounds of 50 us.
  EXPECT_NEAR(site->of<SiteSharing>().prediction->collectiveSeconds, 200e-6 / 3, 1e-12);
  EXPECT_NEAR(site->gain,
              site->of<SiteSharing>().prediction->directSeconds -
                  site->of<SiteSharing>().prediction->seconds -
                  site->of<SiteSharing>().prediction->collectiveSeconds,
              1e-12);

  ASSERT_EQ(plan.plan.of<SharedExchanges>().exchanges.size(), 1u);
  const SharedExchange &exchange = plan.plan.of<SharedExchanges>().exchanges[0];
  EXPECT_EQ(exchange.site, 0u);
  EXPECT_EQ(exchange.communicator.members.size(), std::size_t{sharingRanks});
  EXPECT_EQ(exchange.messages, 60u);
  ASSERT_EQ(plan.plan.of<SharedExchanges>().rankExchanges.size(), std::size_t{sharingRanks});
  std::size_t sent = 0;
  for (int rank = 0; rank < sharingRanks; ++rank) {
    ASSERT_EQ(plan.plan.of<SharedExchanges>().rankExchanges[rank].size(), 1u) << rank;
    EXPECT_TRUE(plan.plan.of<PlannedOrders>().ranks[rank].empty()) << "no order besides";
    for (const SharedMessage &message :
         plan.plan.of<SharedExchanges>().rankExchanges[rank][0].messages)
      sent += message.source == rank && message.tags == std::vector<std::int32_t>{0};
  }
  EXPECT_EQ(sent, 60u);
}

namespace {

constexpr std::string_view fullerLinks = "of a rank's link, more than they gain";

/// A network whose links are slow.
PlannerOptions slowLinks() {
  PlannerOptions options = defaults();
  options.thresholdPercent = 0;
  options.machine.between.G = 1e-7;
  return options;
}

/// What the plan says of sharing: "shared", "fuller links" or "other".
std::string_view sharingOf(const ProfilePlan &plan) {
  if (findSite(plan, 10)->transformation == "message-sharing")
    return "shared";
  const std::string reason = sentenceOf(findSite(plan, 10)->of<SiteSharing>().refusal);
  return reason.find(fullerLinks) != std::string::npos ? "fuller links" : "other";
}

} // namespace

TEST(PlannedSharing, FurtherBytesMayNotTakeLongerThanTheGain) {
  const PlannerOptions options = slowLinks();
  std::set<std::string_view> found;
  for (std::uint64_t bytes = 64; bytes <= 2048; bytes += 32) {
    const ProfilePlan plan = planOf(hubRun(bytes), options);
    const auto &prediction = findSite(plan, 10)->of<SiteSharing>().prediction;
    ASSERT_TRUE(prediction) << bytes;
    const double further = (prediction->shared.volumeFactor - 1) * options.machine.between.G *
                           static_cast<double>(bytes) * 60 / sharingRanks;
    EXPECT_TRUE(sharingOf(plan) != "shared" || further <= prediction->routesGain()) << bytes;
    found.insert(sharingOf(plan));
  }
  EXPECT_TRUE(found.contains("shared"));
  EXPECT_TRUE(found.contains("fuller links"));
}

TEST(PlannedSharing, TheFurtherBytesOfOneSenderAreOnTheLinksOfAllRanks) {
  SendLists lists(sharingRanks);
  for (int rank = 1; rank < sharingRanks; ++rank)
    lists[0].push_back(rank);
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 10; ++instance)
    run.phase(lists, site, 128);
  const ProfilePlan plan = planOf(run, slowLinks());
  const auto &prediction = findSite(plan, 10)->of<SiteSharing>().prediction;
  ASSERT_TRUE(prediction);
  EXPECT_LT(prediction->routesGain(), (prediction->shared.volumeFactor - 1) * 1e-7 * 128 * 15)
      << "on one link they would take too long";
  EXPECT_EQ(sharingOf(plan), "shared");
}

namespace {

/// All neighbours in a cube of 64 ranks.
SendLists cubeLists() {
  constexpr int side = 4, ranks = side * side * side;
  SendLists lists(ranks);
  for (int rank = 0; rank < ranks; ++rank)
    for (int place = 0; place < 27; ++place) {
      const int x = rank / (side * side) + place / 9 - 1,
                y = rank / side % side + place / 3 % 3 - 1, z = rank % side + place % 3 - 1;
      const auto inside = [](int at) { return at >= 0 && at < side; };
      if (const int to = (x * side + y) * side + z;
          to != rank && inside(x) && inside(y) && inside(z))
        lists[static_cast<std::size_t>(rank)].push_back(to);
    }
  return lists;
}

/// Eight ranks a node; a message takes most of its time at the processors.
Machine machineOfNodes() {
  Machine machine = defaultMachine();
  machine.between.L = 6e-7;
  machine.between.o_send = 5e-7;
  machine.between.o_recv = 3e-7;
  machine.between.g = 1e-9;
  machine.between.G = 1e-10;
  machine.within = machine.between;
  machine.within->L = 1e-7;
  machine.ranks_per_node = 8;
  return machine;
}

} // namespace

TEST(PlannedSharing, TheRunIsReplayedWithSeveralRoutes) {
  RunBuilder run(64);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 40; ++instance)
    run.phase(cubeLists(), site, 8);
  PlannerOptions options;
  options.machine = machineOfNodes();
  const ProfilePlan byModel = planOf(run, options);
  options.replay = RunReplay::Choose;
  const ProfilePlan byReplay = planOf(run, options);
  ASSERT_TRUE(byReplay.run);
  EXPECT_EQ(findSite(byReplay, 10)->transformation, "message-sharing");
  const auto secondsOf = [&](const ProfilePlan &planned) {
    const Timeline timeline = unroll(run.profile, 1'000'000);
    const SendLoops loops = findSendLoops(run.profile, timeline, {""});
    return simulateRun(run.profile, timeline, options.machine, &loops, &planned.plan).wholeSeconds;
  };
  EXPECT_LT(secondsOf(byReplay), 0.97 * secondsOf(byModel));
  EXPECT_NE(findSite(byReplay, 10)->of<SiteSharing>().prediction->method,
            findSite(byModel, 10)->of<SiteSharing>().prediction->method)
      << "the site's figures are those of the routes that are taken";
}

TEST(PlannedSharing, ReceiversPassOnWhatFewRanksSendAndOthersAreLeftOut) {
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  constexpr int senders = 2, uninvolved = sharingRanks - 1;
  SendLists lists(sharingRanks);
  for (int sender = 0; sender < senders; ++sender)
    for (int rank = senders; rank < uninvolved; ++rank)
      lists[sender].push_back(rank);
  for (int instance = 0; instance < 3; ++instance)
    run.phase(lists, site, 64);
  const ProfilePlan plan = planOf(run);
  const SitePlan *found = findSite(plan, 10);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->transformation, "message-sharing")
      << sentenceOf(found->of<SiteSharing>().refusal);
  ASSERT_EQ(plan.plan.of<SharedExchanges>().rankExchanges.size(), std::size_t{sharingRanks});
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().rankExchanges[uninvolved].empty());
  std::size_t passedOn = 0;
  for (int rank = senders; rank < uninvolved; ++rank) {
    ASSERT_EQ(plan.plan.of<SharedExchanges>().rankExchanges[rank].size(), 1u) << rank;
    for (const RankStage &stage : plan.plan.of<SharedExchanges>().rankExchanges[rank][0].stages)
      passedOn += stage.sends.size();
  }
  EXPECT_GT(passedOn, 0u);
}

namespace {

/// Rank `hub` exchanges messages with all others.
SendLists starAround(int hub) {
  SendLists lists(sharingRanks);
  for (int rank = 0; rank < sharingRanks; ++rank)
    if (rank != hub) {
      lists[hub].push_back(rank);
      lists[rank] = {hub};
    }
  return lists;
}

/// Neighbours to the right in a ring, in each execution.
SendLists ringLists() {
  SendLists lists(sharingRanks);
  for (int rank = 0; rank < sharingRanks; ++rank)
    lists[rank] = {(rank + 1) % sharingRanks, (rank + 2) % sharingRanks};
  return lists;
}

/// Alternates between the patterns, with as many executions of each as given.
RunBuilder turnsRun(const std::vector<std::pair<SendLists, int>> &patterns) {
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  for (int round = 0; round < 3; ++round)
    for (const auto &[lists, times] : patterns)
      for (int time = 0; time < times; ++time)
        run.phase(lists, site, 64);
  return run;
}

double directSeconds(const SendLists &lists) {
  const ProfilePlan plan = planOf(turnsRun({{lists, 1}}));
  const SitePlan *site = findSite(plan, 10);
  return site && site->of<SiteSharing>().prediction
             ? site->of<SiteSharing>().prediction->directSeconds
             : 0;
}

} // namespace

TEST(PlannedSharing, PatternsByTurnsHaveRoutesOfTheirOwnAndSaySo) {
  const ProfilePlan plan = planOf(turnsRun({{starAround(0), 1}, {starAround(9), 1}}));
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->transformation, "message-sharing") << sentenceOf(site->of<SiteSharing>().refusal);
  ASSERT_TRUE(site->of<SiteSharing>().prediction);
  EXPECT_TRUE(site->of<SiteSharing>().prediction->method.ends_with(" for 2 patterns in turn"))
      << site->of<SiteSharing>().prediction->method;
  EXPECT_NE(site->reason.find("for 2 patterns in turn, "), std::string::npos) << site->reason;
  const SharedExchanges &shared = plan.plan.of<SharedExchanges>();
  ASSERT_EQ(shared.exchanges.size(), 2u);
  for (const SharedExchange &exchange : shared.exchanges)
    EXPECT_EQ(exchange.messages, 30u);
  ASSERT_EQ(shared.turns.size(), 1u);
  for (std::size_t rank = 0; rank < sharingRanks; ++rank) {
    ASSERT_NE(shared.turns[0].of(rank), nullptr);
    EXPECT_EQ(*shared.turns[0].of(rank), (ExchangeTurns{{}, {0, 1}}));
  }
}

namespace {

/// `turns`: the patterns, as numbers of hubs.
RunBuilder hubsInTurn(const std::vector<int> &turns) {
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  for (const int hub : turns)
    run.phase(starAround(hub), site, 64);
  return run;
}

} // namespace

TEST(PlannedSharing, PatternsThatRanksCannotTellApartShareRoutes) {
  // Rank 5 sends the same in both patterns, which have no order.
  RunBuilder run(sharingRanks);
  const int site = run.addSite(10);
  for (const int turn : {0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0}) {
    SendLists lists = starAround(0);
    if (turn == 1)
      for (int rank = 1; rank < sharingRanks; ++rank)
        lists[rank].push_back((rank + 1) % sharingRanks == 0 ? 1 : rank + 1);
    if (turn == 1)
      lists[5] = {0};
    run.phase(lists, site, 64);
  }
  const ProfilePlan plan = planOf(run);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().turns.empty());
}

TEST(PlannedSharing, PatternsWithoutAnOrderAreToldApartByTheirMessages) {
  const ProfilePlan plan = planOf(hubsInTurn({0, 9, 9, 0, 0, 0, 9, 0, 9, 9, 9, 9, 0, 9}));
  EXPECT_EQ(plan.plan.of<SharedExchanges>().exchanges.size(), 2u);
  EXPECT_EQ(plan.plan.of<SharedExchanges>().turns.size(), 1u);
}

TEST(PlannedSharing, PatternsByTurnsAreNotSharedForAnAssumedMachine) {
  PlannerOptions options = defaults();
  options.assumed = true;
  const ProfilePlan plan = planOf(turnsRun({{starAround(0), 1}, {starAround(9), 1}}), options);
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
  EXPECT_TRUE(
      sentenceOf(site->of<SiteSharing>().refusal).starts_with("it serves 2 patterns in turn"))
      << sentenceOf(site->of<SiteSharing>().refusal);
  const ProfilePlan one = planOf(turnsRun({{starAround(0), 1}}), options);
  EXPECT_EQ(one.plan.of<SharedExchanges>().exchanges.size(), 1U);
}

TEST(PlannedSharing, WhatIsPredictedIsTheMeanOverTheTurns) {
  const double star = directSeconds(starAround(0)), ring = directSeconds(ringLists());
  EXPECT_GT(star, ring);
  const ProfilePlan plan = planOf(turnsRun({{starAround(0), 2}, {ringLists(), 6}}));
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  ASSERT_TRUE(site->of<SiteSharing>().prediction);
  EXPECT_NEAR(site->of<SiteSharing>().prediction->directSeconds, (star + 3 * ring) / 4, 1e-12);
  EXPECT_EQ(site->of<SiteSharing>().prediction->direct.maxLoad,
            11); // the mean of 30 and three times 4
}

TEST(PlannedSharing, APatternThatGainsNothingGoesDirectly) {
  SendLists pairs(sharingRanks); // ranks 0 and 15 do not come
  for (int rank = 1; rank < sharingRanks - 1; ++rank)
    pairs[rank] = {rank % 2 == 1 ? rank + 1 : rank - 1};
  const ProfilePlan plan = planOf(turnsRun({{starAround(0), 1}, {pairs, 7}}));
  const SitePlan *site = findSite(plan, 10);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->transformation, "message-sharing") << sentenceOf(site->of<SiteSharing>().refusal);
  const SharedExchanges &shared = plan.plan.of<SharedExchanges>();
  ASSERT_EQ(shared.exchanges.size(), 1U);
  EXPECT_EQ(shared.exchanges[0].messages, 30U);
  ASSERT_EQ(shared.turns.size(), 1U);
  constexpr std::uint32_t nothing = ExchangeTurns::nothing;
  ASSERT_NE(shared.turns[0].of(5), nullptr);
  EXPECT_EQ(shared.turns[0].of(5)->cycle,
            (std::vector<std::uint32_t>{0, nothing, nothing, nothing, nothing, nothing, nothing,
                                        nothing}));
  ASSERT_NE(shared.turns[0].of(15), nullptr);
  EXPECT_EQ(shared.turns[0].of(15)->cycle, std::vector<std::uint32_t>{0});
}

TEST(PlannedSharing, LargeMessagesGoDirectly) {
  const ProfilePlan plan = planOf(hubRun(100'000));
  const SitePlan *site = findSite(plan, 10);
  EXPECT_NE(site->transformation, "message-sharing");
  ASSERT_TRUE(site->of<SiteSharing>().refusal);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
}

TEST(PlannedSharing, WhatCollectivesLoseCounts) {
  RunBuilder run = hubRun();
  for (int barrier = 0; barrier < 30; ++barrier)
    run.barrier();
  const ProfilePlan plan = planOf(run);
  EXPECT_NE(sentenceOf(findSite(plan, 10)->of<SiteSharing>().refusal)
                .find("is less than it costs collective calls (200 us)"),
            std::string::npos)
      << sentenceOf(findSite(plan, 10)->of<SiteSharing>().refusal);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
}

TEST(PlannedSharing, AGainBelowTheThresholdIsLeft) {
  PlannerOptions options = defaults();
  options.thresholdPercent = 99;
  const ProfilePlan plan = planOf(hubRun(), options);
  EXPECT_NE(
      sentenceOf(findSite(plan, 10)->of<SiteSharing>().refusal).find("below the threshold of 99 %"),
      std::string::npos)
      << sentenceOf(findSite(plan, 10)->of<SiteSharing>().refusal);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
}

TEST(PlannedSharing, NothingIsSharedThatIsToGoDirectly) {
  PlannerOptions options = defaults();
  options.leftOut = {"message-sharing"};
  const ProfilePlan plan = planOf(hubRun(), options);
  EXPECT_NE(findSite(plan, 10)->transformation, "message-sharing");
  EXPECT_FALSE(findSite(plan, 10)->of<SiteSharing>().refusal);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
}

TEST(PlannedSharing, AnExchangeThatLacksSomethingIsOrderedAndSaysSo) {
  RunBuilder run(4);
  run.phase(first, run.addSite(10), 8, MpiFunctionId::Rsend);
  run.phase(second, run.addSite(20));
  run.barrier();
  const ProfilePlan plan = planOf(run);
  const SitePlan *site = findSite(plan, 10);
  EXPECT_EQ(site->transformation, "message-ordering");
  EXPECT_EQ(sentenceOf(site->of<SiteSharing>().refusal), "it sends by MPI_Rsend");
}

TEST(PlannedSharing, NothingIsSharedWhereBuffersArePlanned) {
  const RunBuilder run = hubRun();
  ProfilePlan plan = planOf(run);
  const EpochAnalysis analysis =
      analyzeEpochs(run.profile, TraceLocation("test.prof", run.profile), {});
  planSynchronization(plan, run.profile, analysis, SynchronizationKind::Component);
  EXPECT_EQ(findSite(plan, 10)->decision, Decision::Leave);
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().exchanges.empty());
  EXPECT_TRUE(plan.plan.of<SharedExchanges>().rankExchanges.empty());
}
