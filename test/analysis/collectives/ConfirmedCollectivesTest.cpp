// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are collective operations: which loops are found, and what others lack.

#include "test/analysis/collectives/LoopRun.h"

#include <gtest/gtest.h>

#include <functional>

using namespace sendwright;

namespace {

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
