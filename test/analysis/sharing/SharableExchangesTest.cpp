// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which send loops are complete exchanges, and what others lack.

#include "test/analysis/sharing/FoundExchanges.h"

#include "analysis/sharing/FoundTurns.h"

using namespace sendwright;

namespace {

/// `change` modifies the run before each instance.
template <typename Change> RunBuilder starRun(int instances, Change change) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < instances; ++instance) {
    change(run, instance);
    run.phase(starLists, site);
  }
  run.barrier();
  return run;
}

RunBuilder starRun(int instances) {
  return starRun(instances, [](RunBuilder &, int) {});
}

} // namespace

TEST(SharableExchanges, AStarIsOne) {
  const ExchangeFinding finding = findingAt(starRun(3), 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.communicator.members, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(finding.exchange.instances, 3u);
  ASSERT_EQ(finding.exchange.messages.size(), 9u);
  EXPECT_EQ(finding.exchange.messages[0], (ExchangedMessage{0, 1, 0, 8, 3}));
  EXPECT_EQ(finding.exchange.messages[8], (ExchangedMessage{3, 1, 0, 8, 3}));
}

TEST(SharableExchanges, TagsMayChangeWithEveryInstance) {
  const RunBuilder run =
      starRun(10, [](RunBuilder &builder, int instance) { builder.tag = 3 + instance; });
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 10u);
  ASSERT_EQ(finding.exchange.messages.size(), 9u);
  EXPECT_EQ(finding.exchange.messages[0], (ExchangedMessage{0, 1, anyTag, 8, 10}));
  EXPECT_TRUE(finding.exchange.patterns.empty());
}

TEST(SharableExchanges, SeveralMessagesOfAPairMayHaveTagsThatChange) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 10; ++instance)
    for (int rank = 0; rank < 4; ++rank)
      for (const bool sends : {true, false}) {
        if (sends)
          run.enter(rank, site);
        for (int other = 0; other < 4; ++other)
          for (run.tag = 2 * instance; run.tag < 2 * instance + 2 && other != rank; ++run.tag)
            sends ? run.postSend(rank, other, 8, site) : run.receive(rank, other);
        if (sends)
          run.leave(rank, site);
        else
          run.waitAll(rank);
      }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  ASSERT_EQ(finding.exchange.messages.size(), 24u);
  EXPECT_EQ(finding.exchange.messages[0], (ExchangedMessage{0, 1, anyTag, 8, 10}));
  EXPECT_EQ(finding.exchange.messages[1], (ExchangedMessage{0, 1, anyTag, 8, 10}));
}

TEST(SharableExchanges, AReceiveOfAnyTagCouldTakeMessagesWhoseTagsChange) {
  const RunBuilder run = starRun(10, [](RunBuilder &builder, int instance) {
    builder.tag = instance;
    if (instance != 5)
      return;
    const int other = builder.addSite(40);
    builder.send(2, 1, 8, noSite);
    builder.receive(1, anySource, other);
    builder.profile.ranks[1].events.back().matches = {{-1, 2, 5, 8}};
  });
  expectRefused(run, SharingObstacle::MetByAnotherCall,
                "a receive from any source at app.c:40 could take its messages");
}

TEST(SharableExchanges, BlockingReceivesAfterTheSendsAreOne) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int rank = 0; rank < 4; ++rank) {
    run.enter(rank, site);
    for (int destination : starLists[rank])
      run.postSend(rank, destination, 8, site);
    run.leave(rank, site);
    for (int source = 0; source < 4; ++source)
      if (std::ranges::count(starLists[source], rank))
        run.receive(rank, source);
    run.waitAll(rank);
  }
  EXPECT_EQ(refusalText(findingAt(run, 10)), "");
}

TEST(SharableExchanges, ARankThatNeverSendsInTheLoopOnlyReceives) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 10; ++instance)
    run.phase({{1, 2, 3}, {0, 2}, {0}, {}}, site);
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 10u);
  EXPECT_EQ(finding.exchange.messages.size(), 6u);
}

TEST(SharableExchanges, AnExecutionLessIsMissed) {
  RunBuilder run = starRun(3);
  run.phase({{1, 2}, {0, 2}, {0, 1}, {}}, 0);
  expectRefused(run, SharingObstacle::UnequalExecutions,
                "rank 3 sends in 3 of its executions, and rank 0 in 4");
}

TEST(SharableExchanges, RanksThatDoNotComeToTheCoarseLevelHaveFewerExecutions) {
  RunBuilder run(6);
  const int site = run.addSite(10);
  const SendLists fine{{1, 2, 3}, {0, 2}, {0, 1, 3, 4}, {0, 2}, {2, 5}, {4}};
  const SendLists coarse{{1, 2}, {0, 2}, {0, 1}, {}, {}, {}};
  for (int cycle = 0; cycle < 8; ++cycle) {
    run.phase(fine, site);
    run.phase(coarse, site, 16);
    run.phase(coarse, site, 16);
    run.phase(fine, site);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_TRUE(finding.exchange.unequal);
  EXPECT_EQ(finding.exchange.instances, 32u);
  ASSERT_EQ(finding.exchange.patterns.size(), 2u);
  const auto turns = findTurns(finding.exchange, {true, true});
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->at(5).cycle.size(), 1u);
  EXPECT_EQ(turns->at(1).cycle.size(), 4u);
}

TEST(SharableExchanges, AnExecutionWithoutSendsIsAnInstance) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 10; ++instance) {
    const bool all = instance % 2 == 0;
    if (!all)
      run.skip(3, site);
    run.phase(all ? starLists : SendLists{{1, 2, 3}, {0, 2}, {0, 3}, {}}, site);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 10u);
  ASSERT_EQ(finding.exchange.patterns.size(), 2u);
  EXPECT_EQ(finding.exchange.patterns[0].messages.size(), 9u);
  EXPECT_EQ(finding.exchange.patterns[1].messages.size(), 7u);
}

TEST(SharableExchanges, AnExecutionThatOnlyReceivesIsAnInstance) {
  RunBuilder run = starRun(9);
  run.enter(3, 0);
  run.leave(3, 0);
  run.phase({{1, 2}, {0, 2}, {0, 1}, {}}, 0);
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 10u);
}

namespace {

/// All ranks but `waiting` ones complete their receives by MPI_Testsome, at line 50.
ExchangeFinding starWithPolls(std::size_t waiting) {
  RunBuilder run = starRun(3);
  const int site = run.addSite(50);
  for (std::size_t rank = waiting; rank < run.profile.ranks.size(); ++rank)
    for (Event &event : run.profile.ranks[rank].events)
      if (event.kind == EventKind::Call &&
          mpiFunction(event.function).role == MpiRole::Completion) {
        event.function = MpiFunctionId::Testsome;
        event.site = site;
      }
  return findingAt(run, 10);
}

} // namespace

TEST(SharableExchanges, RanksMayPollForItsMessages) {
  EXPECT_FALSE(starWithPolls(4).polls);
  const ExchangeFinding finding = starWithPolls(0);
  EXPECT_EQ(refusalText(finding), ""); // a user may name a method all the same
  ASSERT_TRUE(finding.polls);
  EXPECT_EQ(textOf(*finding.polls), "ranks poll for its messages by MPI_Testsome at app.c:50: each "
                                    "poll would have to pass messages on");
  EXPECT_FALSE(starWithPolls(3).polls); // one rank alone
}

TEST(SharableExchanges, AReceiveFromAnySourceCouldTakeItsMessages) {
  const RunBuilder run = starRun(2, [](RunBuilder &builder, int instance) {
    if (instance != 1)
      return;
    const int other = builder.addSite(40);
    builder.send(2, 1, 8, noSite);
    builder.receive(1, anySource, other);
    builder.profile.ranks[1].events.back().matches = {{-1, 2, 0, 8}};
  });
  expectRefused(run, SharingObstacle::MetByAnotherCall,
                "a receive from any source at app.c:40 could take its messages");
}

namespace {

/// In the set-up, rank 1 receives from any source, with the tag of the exchange.
RunBuilder runWithSetUp(bool separated) {
  return starRun(3, [=](RunBuilder &builder, int instance) {
    if (instance != 0)
      return;
    const int other = builder.addSite(40);
    builder.send(2, 1, 4, noSite);
    builder.receive(1, anySource, other);
    builder.profile.ranks[1].events.back().matches = {{-1, 2, 0, 4}};
    if (separated)
      builder.barrier();
  });
}

} // namespace

TEST(SharableExchanges, ReceivesFromAnySourceInTheSetUpDoNoHarm) {
  const ExchangeFinding finding = findingAt(runWithSetUp(true), 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.anySource, std::vector<std::int32_t>{1});
}

TEST(SharableExchanges, ReceivesFromAnySourceWithoutACollectiveBehindThemCouldTakeItsMessages) {
  expectRefused(runWithSetUp(false), SharingObstacle::MetByAnotherCall,
                "a receive from any source at app.c:40 could take its messages");
}

TEST(SharableExchanges, SetUpWithLargeMessagesBeforeItsOwnDoesNoHarm) {
  const RunBuilder run = starRun(2, [](RunBuilder &builder, int instance) {
    if (instance != 0)
      return;
    builder.send(2, 3, 20000, builder.addSite(60));
    builder.receive(3, 2);
  });
  EXPECT_EQ(refusalText(findingAt(run, 10)), "");
}

TEST(SharableExchanges, WhoReceivesFromAnySourceIsNamed) {
  const RunBuilder run = starRun(2, [](RunBuilder &builder, int) {
    const int other = builder.addSite(40);
    builder.send(2, 1, 8, noSite);
    builder.profile.ranks[2].events.back().tag = 7;
    builder.receive(1, anySource, other);
    builder.profile.ranks[1].events.back().tag = 7;
    builder.profile.ranks[1].events.back().matches = {{-1, 2, 7, 8}};
  });
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.anySource, std::vector<std::int32_t>{1});
}

TEST(SharableExchanges, AProbeCouldSeeItsMessages) {
  const RunBuilder run = starRun(2, [](RunBuilder &builder, int) {
    builder.receive(3, 0, builder.addSite(40));
    builder.profile.ranks[3].events.back().function = MpiFunctionId::Probe;
  });
  expectRefused(run, SharingObstacle::MetByAnotherCall,
                "MPI_Probe at app.c:40 could see its messages");
}

namespace {

/// Between its instances rank 2 also sends to rank 3 elsewhere, with the tag of the exchange.
RunBuilder runWithOthers(std::uint64_t bytes) {
  return starRun(2, [bytes](RunBuilder &builder, int) {
    builder.send(2, 3, bytes, builder.addSite(60));
    builder.receive(3, 2);
  });
}

} // namespace

TEST(SharableExchanges, SendsElsewhereAtOtherTimesMayHaveItsTag) {
  const ExchangeFinding finding = findingAt(runWithOthers(8), 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.messages.size(), 9u);
}

TEST(SharableExchanges, LargeSendsElsewhereWithItsTagAreMissed) {
  expectRefused(runWithOthers(20000), SharingObstacle::MetByAnotherCall,
                "rank 2 sends to rank 3 with tag 0 at app.c:60, too");
}

TEST(SharableExchanges, SendsInOtherModesAreLeft) {
  RunBuilder run(4);
  run.phase(starLists, run.addSite(10), 8, MpiFunctionId::Rsend);
  expectRefused(run, SharingObstacle::OtherSendFunction, "it sends by MPI_Rsend");
}

TEST(SharableExchanges, ReceivedBySendrecvIsLeft) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int rank = 0; rank < 3; ++rank) {
    run.enter(rank, site);
    for (int other = 0; other < 3; ++other)
      if (other != rank)
        run.send(rank, other, 8, site);
    run.leave(rank, site);
    for (int other = 0; other < 3; ++other)
      if (other != rank) {
        run.receive(rank, other, noSite);
        Event &event = run.profile.ranks[rank].events.back();
        event.function = MpiFunctionId::Sendrecv;
        event.receivePeer = other;
        event.peer = nullRank;
      }
  }
  expectRefused(run, SharingObstacle::OtherReceiveFunction,
                "its messages are received by MPI_Sendrecv");
}

TEST(SharableExchanges, APatternThatChangesIsLeft) {
  RunBuilder run(6);
  const int site = run.addSite(10);
  for (int instance = 1; instance < 6; ++instance) {
    SendLists lists(6);
    for (int rank = 0; rank < 6; ++rank)
      lists[rank] = {(rank + instance) % 6, (rank + instance % 5 + 1) % 6};
    run.phase(lists, site);
  }
  expectRefused(run, SharingObstacle::FewMessagesRecur);
}

TEST(SharableExchanges, ARareMessageIsNotPlanned) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 20; ++instance) {
    SendLists lists = starLists;
    if (instance == 7)
      lists[1].push_back(3);
    if (instance == 9)
      lists[2].pop_back();
    run.phase(lists, site);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  ASSERT_EQ(finding.exchange.messages.size(), 9u);
  EXPECT_EQ(finding.exchange.messages[6].instances, 19u);
}

TEST(SharableExchanges, OnePatternHasNoTurns) {
  EXPECT_TRUE(findingAt(starRun(3), 10).exchange.patterns.empty());
}

TEST(SharableExchanges, SubcommunicatorsHaveTheirGroup) {
  RunBuilder run(6);
  const int site = run.addSite(10), odd = run.addCommunicator({5, 3, 1});
  for (int rank : {1, 3, 5}) {
    for (int other : {1, 3, 5})
      if (other != rank)
        run.post(rank, other, noSite, odd);
    run.enter(rank, site);
    for (int other : {1, 3, 5})
      if (other != rank)
        run.send(rank, other, 8, site, MpiFunctionId::Send, odd);
    run.leave(rank, site);
    run.waitAll(rank);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.communicator.members, (std::vector<int>{5, 3, 1}));
}

TEST(SharableExchanges, TwoCommunicatorsAreTooMany) {
  RunBuilder run(4);
  const int site = run.addSite(10), copy = run.addCommunicator({0, 1, 2, 3});
  for (RankProfile &rank : run.profile.ranks)
    rank.communicators.back().instance = 1;
  for (int communicator : {0, copy})
    for (int rank = 0; rank < 4; ++rank) {
      run.enter(rank, site);
      for (int other : starLists[rank])
        run.send(rank, other, 8, site, MpiFunctionId::Send, communicator);
      run.leave(rank, site);
      for (int source = 0; source < 4; ++source)
        if (std::ranges::count(starLists[source], rank))
          run.receive(rank, source, noSite, communicator);
    }
  expectRefused(run, SharingObstacle::SeveralCommunicators);
}

TEST(SharableExchanges, AReceiveBeforeTheOwnSendsWouldWaitInACircle) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  run.enter(0, site);
  for (int other : {1, 2, 3})
    run.send(0, other, 8, site);
  run.leave(0, site);
  for (int rank : {1, 2, 3}) {
    run.receive(rank, 0);
    run.enter(rank, site);
    for (int other : starLists[rank])
      run.send(rank, other, 8, site);
    run.leave(rank, site);
  }
  for (int rank = 0; rank < 4; ++rank)
    for (int source = 1; source < 4; ++source)
      if (std::ranges::count(starLists[source], rank))
        run.receive(rank, source);
  expectRefused(run, SharingObstacle::CircularWait,
                "waits for its messages before it has sent its own");
}

TEST(SharableExchanges, NothingInTheLoopMayWaitForItsMessages) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int rank = 0; rank < 4; ++rank) {
    for (int source = 0; source < 4; ++source)
      if (std::ranges::count(starLists[source], rank))
        run.post(rank, source);
    run.enter(rank, site);
    for (int other : starLists[rank])
      run.send(rank, other, 8, site);
    run.waitAll(rank, site);
    run.leave(rank, site);
  }
  expectRefused(run, SharingObstacle::CallBehindSends,
                "MPI_Waitall after the sends in the loop ends the batch");
}

TEST(SharableExchanges, AnotherMessageMayCloseTheCircle) {
  // Rank 3 enters after a message that rank 1 sends once it has received its messages of the
  // exchange.
  RunBuilder run(4);
  const int site = run.addSite(10);
  const SendLists lists{{1, 2}, {0, 2}, {0, 1}, {0, 2}};
  for (int rank : {0, 1, 2}) {
    for (int source : {0, 1, 2})
      if (std::ranges::count(lists[source], rank))
        run.post(rank, source);
    run.enter(rank, site);
    for (int other : lists[rank])
      run.send(rank, other, 8, site);
    run.leave(rank, site);
    run.waitAll(rank);
  }
  run.send(1, 3, 4, noSite);
  run.receive(3, 1);
  run.enter(3, site);
  for (int other : lists[3])
    run.send(3, other, 8, site);
  run.leave(3, site);
  for (int rank : {0, 2})
    run.receive(rank, 3);
  expectRefused(run, SharingObstacle::CircularWait,
                "rank 3 sends its own only after rank 1 has received its messages");
}

TEST(SharableExchanges, ACollectiveBetweenTheSendsAndTheReceivesIsNoCircle) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int rank = 0; rank < 4; ++rank) {
    run.enter(rank, site);
    for (int other : starLists[rank])
      run.postSend(rank, other, 8, site);
    run.leave(rank, site);
  }
  run.barrier();
  for (int rank = 0; rank < 4; ++rank) {
    for (int source = 0; source < 4; ++source)
      if (std::ranges::count(starLists[source], rank))
        run.receive(rank, source);
    run.waitAll(rank);
  }
  EXPECT_EQ(refusalText(findingAt(run, 10)), "");
}

TEST(SharableExchanges, TwoThatWaitForOneAnotherAreNotBothShared) {
  // Ranks 0 and 1 finish the first exchange before they begin the second; ranks 2 and 3 do the
  // reverse. This is fine as long as each pair exchanges messages only among itself.
  RunBuilder run(4);
  const int one = run.addSite(10), other = run.addSite(20);
  const auto exchange = [&](int rank, int site, int communicator) {
    const int base = rank / 2 * 2, peer = base + 1 - rank % 2;
    run.post(rank, peer, noSite, communicator);
    run.enter(rank, site);
    run.send(rank, peer, 8, site, MpiFunctionId::Send, communicator);
    run.leave(rank, site);
    run.waitAll(rank);
  };
  const int copy = run.addCommunicator({0, 1, 2, 3});
  for (RankProfile &rank : run.profile.ranks)
    rank.communicators.back().instance = 1;
  for (int rank : {0, 1})
    exchange(rank, one, 0), exchange(rank, other, copy);
  for (int rank : {2, 3})
    exchange(rank, other, copy), exchange(rank, one, 0);
  const Timeline timeline = unroll(run.profile, 1'000'000);
  SendLoops loops = findSendLoops(run.profile, timeline, {});
  // As if they had messages to a second destination.
  loops.loops[one].batchDestinations = loops.loops[other].batchDestinations = 2;
  const std::vector<ExchangeFinding> findings = findSharableExchanges(run.profile, timeline, loops);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_TRUE(findings[0].refusal || findings[1].refusal);
}
