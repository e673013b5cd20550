// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are collective operations: which loops are found, what others lack, which schedule
// they get, and how long a run takes under it.

#include "test/analysis/collectives/CollectiveLoop.h"
#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"

#include <functional>

using namespace sendwright;

namespace {

constexpr unsigned sendLine = 11, receiveLine = 20;

CollectiveInSource inSource(Collective operation) {
  return {operation,
          identityAt(loopLine),
          {identityAt(sendLine)},
          {identityAt(receiveLine)},
          operation == Collective::Reduce ? "sum" : "",
          ""};
}

/// Runs with one loop, whose sends and receives are marked calls.
struct LoopRun : RunBuilder {
  explicit LoopRun(int ranks) : RunBuilder(ranks), loop(addSite(loopLine)) {
    profile.callSites = {identityAt(sendLine), identityAt(receiveLine)};
  }

  /// The root's loop goes over all other ranks, which have one call each.
  void instance(Collective operation, int root = 0, std::uint64_t bytes = 8) {
    const int ranks = static_cast<int>(profile.ranks.size());
    for (int rank = 0; rank < ranks; ++rank)
      if (rank != root)
        loopReceives(operation) ? send(rank, root, bytes, noSite) : receive(rank, root);
    enter(root, loop);
    for (int rank = 0; rank < ranks; ++rank)
      if (rank != root)
        loopReceives(operation) ? receive(root, rank, loop) : send(root, rank, bytes, loop);
    leave(root, loop);
    mark();
  }

  /// All post their receives, send and wait.
  void exchange(std::uint64_t bytes = 8, bool own = false) {
    const int ranks = static_cast<int>(profile.ranks.size());
    SendLists lists(profile.ranks.size());
    for (int rank = 0; rank < ranks; ++rank)
      for (int other = 0; other < ranks; ++other)
        if (own || other != rank)
          lists[static_cast<std::size_t>(rank)].push_back(other);
    phase(lists, loop, bytes);
    mark();
  }

  /// Marks the calls of all messages so far.
  void mark() {
    for (RankProfile &rank : profile.ranks)
      for (Event &event : rank.events)
        if (event.kind == EventKind::Call && (event.site == loop || event.site == noSite) &&
            event.tag == 0)
          event.call = sendsMessage(event) ? 0 : receivesMessage(event) ? 1 : noSite;
  }

  const int loop;
};

LoopRun runOf(Collective operation, int ranks = 4, int instances = 3) {
  LoopRun run(ranks);
  for (int instance = 0; instance < instances; ++instance) {
    hasRoot(operation) ? run.instance(operation) : run.exchange();
    run.barrier();
  }
  return run;
}

CollectiveFinding findingOf(const LoopRun &run, const CollectiveInSource &candidate,
                            std::uint64_t events = 1'000'000) {
  const Timeline timeline = unroll(run.profile, events);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  std::vector<CollectiveFinding> findings =
      confirmCollectives(run.profile, timeline, loops, {candidate});
  EXPECT_EQ(findings.size(), 1U);
  return findings.at(0);
}

CollectiveFinding findingOf(const LoopRun &run, Collective operation,
                            std::uint64_t events = 1'000'000) {
  return findingOf(run, inSource(operation), events);
}

/// The finding after a change of the run, for two instances of a broadcast among four ranks.
CollectiveFinding findingAfter(const std::function<void(LoopRun &)> &change) {
  LoopRun run = runOf(Collective::Broadcast, 4, 2);
  change(run);
  return findingOf(run, Collective::Broadcast);
}

Event &lastEvent(LoopRun &run, int rank) {
  return run.profile.ranks[static_cast<std::size_t>(rank)].events.back();
}

/// The run's plan if the unit says this about its loop.
ProfilePlan planOf(LoopRun &run, const CollectiveInSource &candidate, PlannerOptions options) {
  UnitSummary unit;
  unit.collectives = {candidate};
  run.profile.units = {{"app.c", encodeUnitSummary(unit)}};
  return planProfile(run.profile, "test.prof", options);
}

PlannerOptions onInfiniband(RunReplay replay) {
  PlannerOptions options;
  options.machine =
      readMachine(SENDWRIGHT_ANALYSIS_TEST_INPUTS "/../../../examples/platforms/infiniband.json");
  options.machine.duplication.reset(); // the runs are shorter than a duplication
  options.replay = replay;
  return options;
}

} // namespace

TEST(ConfirmedCollectives, EachOperationIsOne) {
  for (const Collective operation :
       {Collective::Broadcast, Collective::Scatter, Collective::Gather, Collective::Reduce,
        Collective::Allgather, Collective::AllToAll}) {
    const CollectiveFinding finding = findingOf(runOf(operation), operation);
    EXPECT_EQ(refusalOf(finding), "") << nameOf(operation);
    EXPECT_EQ(finding.communicator.members, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(finding.root, 0U);
    EXPECT_EQ(finding.bytes, 8U);
    ASSERT_EQ(finding.instances.size(), 3U);
    EXPECT_EQ(finding.instances[0].entries.size(), 4U);
    EXPECT_EQ(finding.instances[0].messages.size(), hasRoot(operation) ? 3U : 12U);
  }
}

TEST(ConfirmedCollectives, EachRankSendsToItselfWhereTheSourceSaysSo) {
  for (const bool inRun : {false, true})
    for (const bool inText : {false, true}) {
      LoopRun run(3);
      run.exchange(8, inRun);
      CollectiveInSource candidate = inSource(Collective::AllToAll);
      candidate.own = inText;
      EXPECT_EQ(obstacleOf(findingOf(run, candidate)),
                inRun == inText ? std::nullopt
                : inRun         ? std::optional(CollectiveObstacle::MessageToItself)
                                : std::optional(CollectiveObstacle::MessageLacking));
    }
}

TEST(ConfirmedCollectives, TheRootIsARankOfTheCommunicatorAndSizesMayDifferFromOneToTheNext) {
  LoopRun run(3);
  run.instance(Collective::Gather, 2, 8);
  run.instance(Collective::Gather, 2, 800);
  const CollectiveFinding finding = findingOf(run, Collective::Gather);
  EXPECT_EQ(refusalOf(finding), "");
  EXPECT_EQ(finding.root, 2U);
  EXPECT_EQ(finding.bytes, 800U);
}

TEST(ConfirmedCollectives, OfALongRunTheBeginningSuffices) {
  // The root has six events in each instance, the others have two: all are cut after the same one.
  LoopRun run = runOf(Collective::Broadcast, 4, 30);
  const CollectiveFinding finding = findingOf(run, Collective::Broadcast, 4 * 45);
  EXPECT_EQ(refusalOf(finding), "");
  EXPECT_EQ(finding.instances.size(), 15U);
  run.send(0, 1, 8, run.addSite(40)); // beyond what is unrolled
  EXPECT_EQ(refusalOf(findingOf(run, Collective::Broadcast, 4 * 45)),
            "rank 0 sends to rank 1 with tag 0 at app.c:40, too");
}

TEST(ConfirmedCollectives, WhatIsNoneSaysWhy) {
  EXPECT_FALSE(findingAfter([](LoopRun &) {}).refusal);
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) { run.instance(Collective::Broadcast, 2); })),
            "its root is now rank 0 and now rank 2");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.enter(0, run.loop);
              for (const int rank : {1, 2}) {
                run.send(0, rank, 8, run.loop);
                run.receive(rank, 0);
              }
              run.mark();
            })),
            "rank 3 takes part in 2 of its executions, and rank 0 in 3");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.enter(0, run.loop);
              for (const int rank : {1, 2, 3}) {
                run.send(0, rank, 8U << rank, run.loop);
                run.receive(rank, 0);
              }
              run.mark();
            })),
            "in one execution its blocks have 16 to 64 bytes");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.enter(0, run.loop);
              for (const int rank : {1, 1, 2, 2, 3, 3}) {
                run.send(0, rank, 8, run.loop);
                run.receive(rank, 0);
              }
              run.mark();
            })),
            "rank 0 takes part in 3 of its executions, and rank 1 in 4");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.send(0, 1, 8, run.loop);
              run.receive(1, 0, run.addSite(40));
              run.mark();
            })),
            "a receive at app.c:40 takes its messages");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.send(0, 1, 8, run.addSite(40));
              run.receive(1, 0);
              run.mark();
            })),
            "its receives take messages that are sent at app.c:40");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.send(0, 1, 8, run.addSite(40));
              run.receive(1, 0, run.addSite(41));
            })),
            "rank 0 sends to rank 1 with tag 0 at app.c:40, too");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.send(2, 1, 8, run.addSite(40));
              run.receive(1, anySource, run.addSite(41));
              lastEvent(run, 1).matches = {{-1, 2, 0, 8}};
            })),
            "a receive from any source at app.c:41 could take its messages");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.receive(3, 0, run.addSite(41));
              lastEvent(run, 3).function = MpiFunctionId::Probe;
            })),
            "MPI_Probe at app.c:41 could see its messages");
  EXPECT_EQ(refusalOf(findingAfter([](LoopRun &run) {
              run.collective(0, MpiFunctionId::Bcast);
              lastEvent(run, 0).site = run.loop;
            })),
            "MPI_Bcast at app.c:10 is in the loop, too");
}

TEST(ConfirmedCollectives, OtherTagsAndCommunicatorsAreRefused) {
  const auto withSecond = [](const std::function<void(Event &)> &change) {
    LoopRun run = runOf(Collective::Broadcast, 3, 1);
    run.addCommunicator({0, 1, 2});
    for (RankProfile &rank : run.profile.ranks)
      rank.communicators.back().instance = 1;
    run.instance(Collective::Broadcast, 0, 16);
    for (RankProfile &rank : run.profile.ranks)
      for (std::size_t number = rank.sequence.rules[0].size(); number-- > 0;) {
        const std::uint32_t symbol = rank.sequence.rules[0][number].symbol;
        Event event = rank.events[symbol];
        if (event.kind != EventKind::Call)
          continue;
        change(event); // the last call (at the root, the last two) belongs to the second instance
        rank.sequence.rules[0][number].symbol = static_cast<std::uint32_t>(rank.events.size());
        rank.events.push_back(event);
        if (event.call == 1 || event.peer == 1)
          break;
      }
    return findingOf(run, Collective::Broadcast);
  };
  EXPECT_FALSE(withSecond([](Event &) {}).refusal);
  EXPECT_EQ(refusalOf(withSecond([](Event &event) { event.tag = 7; })),
            "its messages have different tags (0 to 7)");
  EXPECT_EQ(obstacleOf(withSecond([](Event &event) { event.communicator = 1; })),
            CollectiveObstacle::SeveralCommunicators);
}

TEST(ConfirmedCollectives, TwoLoopsMayUseOneTag) {
  // Broadcasts one after another; the second has marks of its own.
  const auto verdicts = [](const std::string &problem, bool crossed) {
    LoopRun run(3);
    const int second = run.addSite(30);
    run.instance(Collective::Broadcast);
    run.enter(0, second);
    for (const int rank : {1, 2}) {
      run.send(0, rank, 8, second);
      run.receive(rank, 0, second);
    }
    run.leave(0, second);
    run.profile.callSites.push_back(identityAt(31));
    run.profile.callSites.push_back(identityAt(32));
    for (RankProfile &rank : run.profile.ranks)
      for (Event &event : rank.events)
        if (event.site == second && event.kind == EventKind::Call)
          event.call = sendsMessage(event) ? 2 : crossed ? 1 : 3;
    CollectiveInSource other = {
        Collective::Broadcast, identityAt(30), {identityAt(31)}, {identityAt(32)}, "", problem};
    const Timeline timeline = unroll(run.profile, 1000);
    const SendLoops loops = findSendLoops(run.profile, timeline, {});
    std::vector<std::string> refusals;
    for (const CollectiveFinding &finding :
         confirmCollectives(run.profile, timeline, loops, {inSource(Collective::Broadcast), other}))
      refusals.push_back(refusalOf(finding));
    return refusals;
  };
  using Verdicts = std::vector<std::string>;
  EXPECT_EQ(verdicts("", false), (Verdicts{"", ""}));
  EXPECT_EQ(verdicts("", true), (Verdicts{"its receives take messages that are sent at app.c:31",
                                          "a receive at app.c:20 takes its messages"}));
  EXPECT_EQ(verdicts("the count differs", false),
            (Verdicts{"rank 0 sends to rank 1 with tag 0 at app.c:31, too", "the count differs"}));
}

TEST(ConfirmedCollectives, RanksThatWouldWaitInACircleAreFound) {
  // Rank 1 gets its message, and only then lets rank 2 go on to receive.
  LoopRun run(3);
  const int other = run.addSite(40);
  run.enter(0, run.loop);
  run.send(0, 1, 8, run.loop);
  run.send(0, 2, 8, run.loop);
  run.leave(0, run.loop);
  run.receive(1, 0);
  run.send(1, 2, 8, other);
  run.receive(2, 1, other);
  run.receive(2, 0);
  run.mark();
  EXPECT_EQ(refusalOf(findingOf(run, Collective::Broadcast)),
            "rank 2 comes to it only after rank 1, which would wait for it there");
}

TEST(ConfirmedCollectives, TheFastestScheduleIsTaken) {
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

TEST(ConfirmedCollectives, WhatGainsNothingAndWhatTheSourceRefusesIsLeft) {
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

TEST(ConfirmedCollectives, MpisOwnFunctionIsTakenWhereItWasMeasuredToBeFastest) {
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

TEST(ConfirmedCollectives, SendsThatWaitForTheSameReceiverTakeLongerThanTheLinearSchedule) {
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

TEST(ConfirmedCollectives, OneLoopMayGoByAScheduleAndAnotherBeShared) {
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
