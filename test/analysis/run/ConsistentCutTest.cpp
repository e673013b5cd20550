// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a run that is too long is cut: no rank goes beyond what the others have done for it.

#include "analysis/replay/RunSimulation.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/RandomTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace sendwright;

namespace {

using NeighbourLists = std::vector<std::vector<int>>;

/// Rank 0 exchanges messages with all others, and each of these with rank 0 and the next.
NeighbourLists unevenNeighbours(int ranks) {
  NeighbourLists lists(static_cast<std::size_t>(ranks));
  for (int rank = 1; rank < ranks; ++rank) {
    lists[0].push_back(rank);
    lists[static_cast<std::size_t>(rank)] = {0, rank % (ranks - 1) + 1};
  }
  return lists;
}

void allreduce(RunBuilder &run) {
  for (std::size_t rank = 0; rank < run.profile.ranks.size(); ++rank)
    run.collective(static_cast<int>(rank), MpiFunctionId::Allreduce);
}

/// A conjugate gradient: in each iteration a halo exchange and two reductions.
RunBuilder solver(int iterations = 200) {
  RunBuilder run(8);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    run.phase(unevenNeighbours(8), site);
    allreduce(run);
    allreduce(run);
  }
  return run;
}

std::size_t callsOf(const RankTimeline &rank, MpiFunctionId function) {
  std::size_t calls = 0;
  for (std::size_t position = 0; position < rank.size(); ++position)
    calls += rank.at(position).kind == EventKind::Call && rank.at(position).function == function;
  return calls;
}

/// Every receive that ends in the cut run got its message there.
void expectMessagesAreSent(const Profile &profile, const Timeline &timeline) {
  for (const MatchedMessage &message : matchMessages(profile).messages)
    if (message.matched() && message.completion != noPosition &&
        message.completion < timeline.ranks[message.receive.rank].size()) {
      EXPECT_LT(message.send.position, timeline.ranks[message.send.rank].size());
    }
}

/// All members of a communicator make the same number of collective calls on it.
void expectCollectivesAreEntered(const Timeline &timeline) {
  std::map<std::uint32_t, std::set<std::size_t>> calls; // by communicator: of each member
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    std::map<std::uint32_t, std::size_t> own;
    for (std::uint32_t number = 0; number < timeline.communicators.size(); ++number)
      for (const int member : timeline.communicators[number].members)
        if (member == static_cast<int>(rank))
          own[number] = 0;
    for (std::size_t position = 0; position < events.size(); ++position)
      if (const Event &event = events.at(position);
          event.kind == EventKind::Call && isCollective(mpiFunction(event.function).role))
        ++own[timeline.communicators.of(rank, event.communicator)];
    for (const auto &[number, count] : own)
      calls[number].insert(count);
  }
  for (const auto &[number, counts] : calls)
    EXPECT_EQ(counts.size(), 1U) << "communicator " << number;
}

/// Cuts the run, and checks that it can be replayed to its end. Returns the number of events.
std::uint64_t expectReplays(const Profile &profile, std::uint64_t limit) {
  const Timeline timeline = unroll(profile, limit);
  EXPECT_TRUE(timeline.cut);
  expectMessagesAreSent(profile, timeline);
  expectCollectivesAreEntered(timeline);
  const RunSimulation run = simulateRun(profile, timeline, defaultMachine());
  EXPECT_EQ(run.stuck, 0U) << "limit " << limit;
  EXPECT_LE(run.events, limit);
  return run.events;
}

} // namespace

TEST(ConsistentCut, RanksWithUnevenNeighboursAreCutInTheSameIteration) {
  const RunBuilder run = solver();
  for (const std::uint64_t limit : {1000, 1999, 2500, 5003}) {
    EXPECT_GE(expectReplays(run.profile, limit), limit * 3 / 4);
    const Timeline timeline = unroll(run.profile, limit);
    for (const RankTimeline &rank : timeline.ranks) {
      EXPECT_EQ(rank.at(rank.size() - 1).function, MpiFunctionId::Allreduce);
      EXPECT_EQ(callsOf(rank, MpiFunctionId::Waitall),
                (callsOf(rank, MpiFunctionId::Allreduce) + 1) / 2);
    }
  }
}

TEST(ConsistentCut, WithoutCollectivesItFollowsTheMessages) {
  RunBuilder run(8);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 200; ++iteration)
    run.phase(unevenNeighbours(8), site);
  for (const std::uint64_t limit : {900, 2017, 3000})
    EXPECT_GE(expectReplays(run.profile, limit), limit / 2);
}

TEST(ConsistentCut, CollectivesOfSomeRanksAreCompleteOrNotBegun) {
  // Rows and columns of 2 times 3 ranks. Ranks of the second row do much else in each iteration.
  RunBuilder run(6);
  std::vector<std::vector<int>> groups{{0, 1, 2}, {3, 4, 5}, {0, 3}, {1, 4}, {2, 5}};
  std::vector<int> communicators;
  for (const std::vector<int> &group : groups)
    communicators.push_back(run.addCommunicator(group));
  for (int iteration = 0; iteration < 300; ++iteration)
    for (std::size_t group = 0; group < groups.size(); ++group)
      for (const int rank : groups[group]) {
        for (int other = 0; rank >= 3 && other < 2 + iteration % 5; ++other)
          run.compute(rank, 1e-6 * (1 + other));
        run.collective(rank, MpiFunctionId::Allreduce, communicators[group]);
      }
  for (const std::uint64_t limit : {500, 1000, 4001})
    EXPECT_GE(expectReplays(run.profile, limit), limit / 2);
}

TEST(ConsistentCut, RequestsMayBeOpen) {
  // Each iteration's messages, too long to be buffered, are completed in the next iteration.
  RunBuilder run(5);
  for (int iteration = 0; iteration < 200; ++iteration)
    for (int rank = 0; rank < 5; ++rank) {
      run.waitAll(rank);
      for (int other = 0; other < 5; ++other)
        if (other != rank && (rank == 0 || other == 0)) {
          run.post(rank, other);
          run.postSend(rank, other, 1 << 20, noSite);
        }
    }
  for (const std::uint64_t limit : {300, 1001, 2000})
    EXPECT_GE(expectReplays(run.profile, limit), limit / 2);
}

TEST(ConsistentCut, NonblockingCollectivesAreBegunByAllOrByNobody) {
  RunBuilder run(3);
  for (int iteration = 0; iteration < 100; ++iteration)
    for (int rank = 0; rank < 3; ++rank) {
      for (int other = 0; other < 4 * rank; ++other)
        run.compute(rank, 1e-6 * (1 + other));
      Event event;
      event.function = MpiFunctionId::Iallreduce;
      event.requests = {0};
      run.add(rank, event);
      event.function = MpiFunctionId::Wait;
      run.add(rank, event);
    }
  for (const std::uint64_t limit : {100, 501, 700})
    expectReplays(run.profile, limit);
}

TEST(ConsistentCut, ARankThatPreparesAloneLeavesRoomForTheOthers) {
  // Half of all events are rank 0's alone, before the first iteration.
  RunBuilder run(4);
  for (int step = 0; step < 2000; ++step)
    run.send(0, nullRank, 8, noSite);
  for (int iteration = 0; iteration < 500; ++iteration)
    run.barrier();
  EXPECT_GE(expectReplays(run.profile, 3000), 2500U);
}

TEST(ConsistentCut, ARecordingThatStoppedIsCutWhereTheOthersWouldWaitForIt) {
  RunBuilder run = solver(20);
  RankProfile &stopped = run.profile.ranks[3];
  stopped.truncated = true;
  stopped.sequence.rules[0].resize(stopped.sequence.rules[0].size() / 3);
  expectReplays(run.profile, 1'000'000);
}

TEST(ConsistentCut, AMessageThatNobodySentDoesNotCutTheRun) {
  RunBuilder run(4);
  run.receive(1, 0); // from code that was not recorded
  for (int iteration = 0; iteration < 500; ++iteration) {
    run.phase({{2}, {3}, {0}, {1}}, noSite);
    run.barrier();
  }
  EXPECT_GE(expectReplays(run.profile, 2000), 1500U);
}

TEST(ConsistentCut, RandomRunsAreReplayedToTheirCut) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Profile profile =
        parseTextTrace(randomTrace(seed, 3 + seed % 6, 300, seed % 2 == 0), "random");
    for (const std::uint64_t limit : {20, 60, 150, 333})
      expectReplays(profile, limit);
  }
}

TEST(ConsistentCut, WhatFitsIsNotCut) {
  const RunBuilder run = solver(5);
  const Timeline timeline = unroll(run.profile, 1'000'000);
  EXPECT_FALSE(timeline.cut);
  for (const RankTimeline &rank : timeline.ranks)
    EXPECT_EQ(rank.size(), rank.profile->sequence.length());
}
