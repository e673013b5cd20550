// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistributions in simulated time, computed by hand. Ranks send each other votes of 32 bytes,
// which take 46 seconds from the sending call to the end of the receive.

#include "analysis/redistribution/MovementProtocol.h"
#include "analysis/replay/RunSimulation.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// L 10, o_send 2, o_recv 3, g 4, G 1; messages beyond 100 bytes use a handshake. Seconds.
Machine plainMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  machine.between.eager_limit = 100;
  return machine;
}

/// Rank 0 of two sends `bytes` to rank 1 in chunks; rank 1 comes `late` seconds later.
RunBuilder move(std::uint64_t bytes, std::uint64_t chunkBytes, double late = 0) {
  RunBuilder run(2);
  if (late > 0)
    run.compute(1, late);
  run.redistribute(0, {{1, false, bytes, chunkBytes}});
  run.redistribute(1, {{0, true, bytes, chunkBytes}});
  return run;
}

RunSimulation simulated(const RunBuilder &run, RedistributionMethod method,
                        const Machine &machine = plainMachine()) {
  const Timeline timeline = unroll(run.profile, 1000);
  const RunSimulation result =
      simulateRun(run.profile, timeline, machine, nullptr, nullptr, method);
  EXPECT_EQ(result.stuck, 0u);
  return result;
}

RunSimulation scheduled(const RunBuilder &run) {
  return simulated(run, RedistributionMethod::Schedule);
}

} // namespace

TEST(Redistributions, ElementsGoAheadOfTheVotes) {
  const RunSimulation run = scheduled(move(6, 1000));
  EXPECT_EQ(run.ranks[0].total, 46); // it only waits for the other rank's vote
  // The chunk is there at 17. The vote leaves at 4, among its packets, and is there at 45.
  EXPECT_EQ(run.ranks[1].total, 48);
  EXPECT_EQ(run.ranks[1].waiting, 15 + 25);
  EXPECT_EQ(run.messages, 3u);
}

TEST(Redistributions, WhatComesBeforeItsReceiverIsTakenThen) {
  const RunSimulation run = scheduled(move(6, 1000, 100));
  EXPECT_EQ(run.ranks[1].total, 100 + 2 + 3 + 3); // a vote sent, a chunk and a vote received
  EXPECT_EQ(run.ranks[0].total, 100 + 46);
  EXPECT_EQ(run.ranks[0].waiting, 100 + 43 - 4);
}

TEST(Redistributions, ChunksFollowOneAnother) {
  const RunSimulation run = scheduled(move(300, 150));
  // Granted at 12, ready at 22; the vote leaves first, until 37, and the port is free at 41.
  EXPECT_EQ(run.ranks[0].total, 41 + 149 + 4 + 149);
  EXPECT_EQ(run.ranks[1].total, 343 + 10 + 3);
}

TEST(Redistributions, WithoutTheScheduleVotesComeFirst) {
  const RunSimulation run = simulated(move(6, 1000), RedistributionMethod::Alltoallv);
  EXPECT_EQ(run.ranks[0].total, 46 + 2 + 10 + 3); // an empty message comes from rank 1
  EXPECT_EQ(run.ranks[1].total, 46 + 2 + 5 + 10 + 3);
}

TEST(Redistributions, PartnersInTurn) {
  RunBuilder run(4);
  for (int rank = 0; rank < 4; ++rank)
    run.redistribute(rank, {});
  Machine machine = plainMachine();
  const double all = simulated(run, RedistributionMethod::Alltoallv, machine).seconds;
  machine.collectives["alltoallv"] = {{1, 0, "linear"}, {4, 0, "pairwise"}};
  const double inTurn = simulated(run, RedistributionMethod::Alltoallv, machine).seconds;
  // All at once: the last rank's three messages leave as the third messages of their senders, at
  // intervals of 4, and meet at its port. In turn: each takes 15.
  EXPECT_EQ(inTurn - all, 3 * 15 - (2 + 2 * 4 + 10 + 2 * 4 + 3));
}

TEST(Redistributions, OneThatIsCutOffIsNotWaitedFor) {
  RunBuilder run = move(6, 1000);
  run.redistribute(0, {});
  EXPECT_EQ(scheduled(run).seconds, 48);
}

TEST(Redistributions, MessagesThatOneEndDoesNotKnowAreLeftOut) {
  RunBuilder run(2);
  run.redistribute(0, {{1, false, 1000, 10}, {1, true, 5, 5}});
  run.redistribute(1, {{1, true, 7, 7}});
  EXPECT_EQ(scheduled(run).seconds, 46);
}

TEST(Redistributions, NoFileMakesThemTakeAllMemory) {
  EXPECT_GT(scheduled(move(std::uint64_t(1) << 60, 1)).seconds, 1e18);
}

TEST(Redistributions, VotesReachEveryone) {
  EXPECT_EQ(voteDistances(1), std::vector<int>());
  EXPECT_EQ(voteDistances(2), std::vector<int>({1}));
  EXPECT_EQ(voteDistances(16), std::vector<int>({1, 2, 3, 5, 8, 13}));
  EXPECT_EQ(voteDistances(128).size(), 10u);
}
