// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole runs in simulated time, computed by hand. Runs are text traces.

#include "analysis/replay/RunSimulation.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/RandomTrace.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// L 10, o_send 2, o_recv 3, g 4, G 1; messages beyond 100 bytes use a handshake: a message of n
/// bytes takes 14 + n. Seconds.
Machine simpleMachine() {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  machine.between.eager_limit = 100;
  return machine;
}

RunSimulation simulateTrace(const std::string &text, const Machine &machine = simpleMachine()) {
  const Profile profile = parseTextTrace("sendwright-trace 1\n" + text, "run.trace");
  const Timeline timeline = unroll(profile, 1000000);
  return simulateRun(profile, timeline, machine);
}

/// For three ranks; rewrites the loop at a.c:9, without orders.
RankCountPlan planOfThree() {
  RankCountPlan plan;
  plan.sites.push_back({});
  plan.sites[0].site.file = "a.c";
  plan.sites[0].site.line = 9;
  plan.sites[0].decision = Decision::Rewrite;
  plan.sites[0].transformation = "message-ordering";
  plan.of<PlannedOrders>().ranks.resize(3);
  return plan;
}

const SimulatedPlace &placeNamed(const RunSimulation &run, const std::string &place) {
  for (const SimulatedPlace &candidate : run.places)
    if (candidate.place == place)
      return candidate;
  throw std::runtime_error("no place " + place);
}

} // namespace

TEST(RunSimulation, OneMessage) {
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\ncompute 5\nsend 1 bytes=6 site=a.c:1\n"
                                          "rank 1\ncompute 1\nrecv 0 site=a.c:2\ncompute 7\n");
  EXPECT_EQ(run.ranks[0].total, 7);
  EXPECT_EQ(run.ranks[1].total, 5 + 20 + 7);
  EXPECT_EQ(run.ranks[1].computation, 8);
  EXPECT_EQ(run.ranks[1].overhead, 3);
  EXPECT_EQ(run.ranks[1].waiting, 21);
  EXPECT_EQ(run.seconds, 32);
  EXPECT_EQ(run.stuck, 0U);
  EXPECT_EQ(placeNamed(run, "a.c:2").waiting, 21);
  EXPECT_EQ(placeNamed(run, "a.c:2").waits, 1U);
  // The path: rank 0 up to its send, the message, rank 1 to the end.
  ASSERT_EQ(run.path.size(), 2U);
  EXPECT_EQ(run.path[0].rank, 0U);
  EXPECT_EQ(run.path[0].end, 5);
  EXPECT_EQ(run.path[1].begin, 22);
  EXPECT_EQ(placeNamed(run, "a.c:1").pathComputation, 5);
  EXPECT_EQ(placeNamed(run, "a.c:2").pathNetwork, 17);
}

TEST(RunSimulation, MpisOwnTreesSendLongMessagesInTurn) {
  std::string text = "ranks 16\n";
  for (int rank = 0; rank < 16; ++rank)
    text += "rank " + std::to_string(rank) + "\ncollective bcast bytes=1000000\n";
  Machine machine = simpleMachine();
  machine.shared_ports = true;
  machine.collectives["broadcast"] = {{1, 0, "4-nomial tree"}};
  // Three messages to the ranks that go on, then the three of these ranks and of the root, at one
  // port each. Sending all six of the root's at once would delay the ranks that go on.
  EXPECT_NEAR(simulateTrace(text, machine).seconds, 6e6, 200);
}

TEST(RunSimulation, LongMessagesWaitForTheirReceive) {
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\nsend 1 bytes=101\n"
                                          "rank 1\ncompute 50\nrecv 0\n");
  EXPECT_EQ(run.ranks[0].total, 160); // granted at 60, a hundred G
  EXPECT_EQ(run.ranks[1].total, 173); // L and o_recv later
  EXPECT_EQ(run.ranks[0].waiting, 158);
  ASSERT_EQ(run.path.size(), 2U); // all of it on rank 1, which came late
  EXPECT_EQ(run.path[0].rank, 1U);
  EXPECT_EQ(run.path[0].end, 50);
}

TEST(RunSimulation, ModesOfSending) {
  auto senderEnds = [](const std::string &send) {
    return simulateTrace("ranks 2\nrank 0\n" + send + "\nrank 1\ncompute 50\nrecv 0\n")
        .ranks[0]
        .total;
  };
  EXPECT_EQ(senderEnds("send 1 bytes=11"), 2);
  EXPECT_EQ(senderEnds("ssend 1 bytes=11"), 70); // granted at 60, ten G
  EXPECT_EQ(senderEnds("bsend 1 bytes=101"), 2);
  EXPECT_EQ(senderEnds("rsend 1 bytes=101"), 2);
  EXPECT_EQ(senderEnds("isend 1 req=1 bytes=101"), 2);
  EXPECT_EQ(senderEnds("isend 1 req=1 bytes=101\nwait req=1"), 160);
  EXPECT_EQ(senderEnds("issend 1 req=1 bytes=11\ncompute 10\nwait req=1"), 70);
}

TEST(RunSimulation, SymmetricExchangeOfLongMessagesEnds) {
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\nirecv 1 req=1\nsend 1 bytes=101\nwait req=1\n"
                                          "rank 1\nirecv 0 req=1\nsend 0 bytes=101\nwait req=1\n");
  // Requests are there at 12, grants at 22, the last bytes have left at 122 and come at 132.
  EXPECT_EQ(run.ranks[0].total, 135);
  EXPECT_EQ(run.ranks[1].total, 135);
}

TEST(RunSimulation, HeadToHeadSendsAreStuck) {
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\nssend 1\nrecv 1\n"
                                          "rank 1\nssend 0\nrecv 0\n");
  EXPECT_EQ(run.stuck, 2U);
}

TEST(RunSimulation, MessagesAreTakenAsTheyCome) {
  // Three senders to one receiver: the first bytes come at 12, 13 and 14, but the port needs g
  // between them.
  const RunSimulation run =
      simulateTrace("ranks 4\n"
                    "rank 0\nirecv 3 req=1\nirecv 2 req=2\nirecv 1 req=3\nwait req=1,2,3\n"
                    "rank 1\nsend 0 bytes=1\n"
                    "rank 2\ncompute 1\nsend 0 bytes=1\n"
                    "rank 3\ncompute 2\nsend 0 bytes=1\n");
  EXPECT_EQ(run.ranks[0].total, 12 + 4 + 4 + 3);
  EXPECT_EQ(run.ranks[0].waiting, 12 + 1 + 1);
}

TEST(RunSimulation, CollectivesAreExpanded) {
  // Four ranks, dissemination: two rounds of 15. Rank 2 sends to rank 3 at 100, and rank 3 to rank
  // 1 at 115; rank 2's own messages arrived long before.
  const RunSimulation run = simulateTrace("ranks 4\n"
                                          "rank 0\ncollective barrier\n"
                                          "rank 1\ncollective barrier\n"
                                          "rank 2\ncompute 100\ncollective barrier\n"
                                          "rank 3\ncollective barrier\n");
  EXPECT_EQ(run.ranks[2].total, 110);
  EXPECT_EQ(run.ranks[1].total, 130);
  EXPECT_EQ(run.seconds, 130);
  EXPECT_EQ(run.messages, 8U);
  EXPECT_EQ(run.path.front().rank, 2U);
}

TEST(RunSimulation, NonblockingCollectivesAreWaitedForWhereTheyAreCompleted) {
  // Two ranks, one round of 15, from 20 on. Nobody waits if both compute longer.
  const std::string hidden = "ranks 2\n"
                             "rank 0\ncollective ibarrier req=1\ncompute 100\nwait req=1\n"
                             "rank 1\ncompute 20\ncollective ibarrier req=1\ncompute 90\n"
                             "wait req=1\n";
  const RunSimulation run = simulateTrace(hidden);
  EXPECT_EQ(run.stuck, 0U);
  EXPECT_EQ(run.ranks[0].total, 100);
  EXPECT_EQ(run.ranks[1].total, 110);
  EXPECT_EQ(run.ranks[0].waiting + run.ranks[1].waiting, 0);
  const RunSimulation late =
      simulateTrace("ranks 2\n"
                    "rank 0\ncollective ibarrier req=1 site=a.c:1\nwait req=1 site=a.c:2\n"
                    "rank 1\ncompute 50\ncollective ibarrier req=1 site=a.c:1\n"
                    "wait req=1 site=a.c:2\n");
  EXPECT_EQ(late.ranks[0].total, 65);
  EXPECT_EQ(late.ranks[1].total, 65);
  EXPECT_EQ(placeNamed(late, "a.c:2").waiting, 65 + 15);
  EXPECT_EQ(late.path.front().rank, 1U); // the rank that came last
}

TEST(RunSimulation, RanksReceiveWhileANonblockingBarrierIsUnderWay) {
  // Rank 1 comes to the barrier when rank 0 has taken its message, which rank 0 does after posting
  // its own part, as programs do that do not know how many messages come.
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\ncollective ibarrier req=1\nrecv 1\nwait req=1\n"
                                          "rank 1\nssend 0 bytes=6\ncollective ibarrier req=1\n"
                                          "wait req=1\n");
  EXPECT_EQ(run.stuck, 0U);
}

TEST(RunSimulation, LongCollectivesShakeHands) {
  std::string text = "ranks 4\n";
  for (int rank = 0; rank < 4; ++rank)
    text += "rank " + std::to_string(rank) + "\ncollective allgather bytes=1000\n";
  const RunSimulation run = simulateTrace(text);
  EXPECT_EQ(run.stuck, 0U);
  // Two rounds: o_send, request and grant, (n - 1) G, L, o_recv, for 1000 and 2000 bytes.
  EXPECT_EQ(run.seconds, (2 + 20 + 999 + 13) + (2 + 20 + 1999 + 13));
}

TEST(RunSimulation, ComputationHidesMessages) {
  const RunSimulation run = simulateTrace("ranks 2\n"
                                          "rank 0\nsend 1 bytes=1\ncompute 40\n"
                                          "rank 1\nirecv 0 req=1\ncompute 40\nwait req=1\n");
  EXPECT_EQ(run.seconds, 43);
  EXPECT_EQ(run.ranks[1].waiting, 0);
}

TEST(RunSimulation, NodesHaveTheirOwnParameters) {
  Machine machine = simpleMachine();
  machine.ranks_per_node = 2;
  machine.within = LinkParameters{1, 0, 0, 0, 0};
  machine.within->eager_limit = 100;
  const RunSimulation run = simulateTrace("ranks 3\n"
                                          "rank 0\nsend 1\nsend 2 bytes=1\n"
                                          "rank 1\nrecv 0\n"
                                          "rank 2\nrecv 0\n",
                                          machine);
  EXPECT_EQ(run.ranks[1].total, 1);
  EXPECT_EQ(run.ranks[2].total, 15);
}

TEST(RunSimulation, APlanOrdersABatch) {
  // Rank 0 sends to 1 and 2; rank 2 has 100 to compute afterwards and should be first.
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 3\n"
                                         "rank 0\nsend 1 bytes=51 site=a.c:9\n"
                                         "send 2 bytes=51 site=a.c:9\n"
                                         "rank 1\nrecv 0 site=a.c:12\n"
                                         "rank 2\nrecv 0 site=a.c:12\ncompute 100\n",
                                         "run.trace");
  const Timeline timeline = unroll(profile, 1000);
  const SendLoops loops = findSendLoops(profile, timeline, {});
  RankCountPlan plan = planOfThree();
  plan.of<PlannedOrders>().ranks[0].push_back({0, {{{2, 1}, 0, 1}}});
  const RunSimulation given = simulateRun(profile, timeline, simpleMachine());
  const RunSimulation planned = simulateRun(profile, timeline, simpleMachine(), &loops, &plan);
  EXPECT_EQ(given.seconds, 2 + 54 + 50 + 13 + 100); // the port is free 50 G and g later
  EXPECT_EQ(planned.seconds, 2 + 50 + 13 + 100);
  EXPECT_EQ(planned.ranks[1].total, 2 + 54 + 50 + 13);
  EXPECT_EQ(planned.messages, 2U);
}

TEST(RunSimulation, AWindowKeepsLongMessagesApart) {
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 3\n"
                                         "rank 0\nsend 1 bytes=101 site=a.c:9\n"
                                         "send 2 bytes=101 site=a.c:9\n"
                                         "rank 1\nrecv 0\nrank 2\nrecv 0\n",
                                         "run.trace");
  const Timeline timeline = unroll(profile, 1000);
  const SendLoops loops = findSendLoops(profile, timeline, {});
  RankCountPlan plan = planOfThree();
  // At once: handed over at 2 and 4, granted at 22 and 24, one after another at the port.
  plan.of<PlannedOrders>().ranks[0].push_back({0, {{{1, 2}, 0, 1}}});
  EXPECT_EQ(simulateRun(profile, timeline, simpleMachine(), &loops, &plan).ranks[0].total,
            22 + 100 + 4 + 100);
  // One in flight: the second is handed over once the first has left, as without a plan.
  plan.of<PlannedOrders>().ranks[0][0].orders[0].window = 1;
  EXPECT_EQ(simulateRun(profile, timeline, simpleMachine(), &loops, &plan).ranks[0].total,
            122 + 2 + 20 + 100);
  EXPECT_EQ(simulateRun(profile, timeline, simpleMachine()).ranks[0].total, 122 + 2 + 20 + 100);
}

TEST(RunSimulation, SharedMessagesTravelCombined) {
  const auto simulateShared = [](const std::string &before, const std::string &after,
                                 const Machine &machine = simpleMachine(),
                                 const std::string &bytes = "1") {
    const Profile profile =
        parseTextTrace("sendwright-trace 1\nranks 3\nrank 0\nsend 1 bytes=" + bytes +
                           " site=a.c:9\n"
                           "send 2 bytes=1 site=a.c:9\n" +
                           after + "rank 1\n" + before + "recv 0 site=a.c:12\n" + after +
                           "rank 2\nrecv 0 site=a.c:12\n" + after,
                       "run.trace");
    const Timeline timeline = unroll(profile, 1000);
    const SendLoops loops = findSendLoops(profile, timeline, {});
    // Messages for rank 2 go through rank 1.
    RankCountPlan plan = planOfThree();
    const ExchangePattern pattern{3, {{0, 1, 1}, {0, 2, 1}}};
    const RouteTable table{2, {{{0, 1}}, {{0, 1}, {1, 2}}}};
    plan.of<SharedExchanges>().exchanges.push_back(
        {0, profile.ranks[0].communicators[0], "by hand", 2, 2});
    plan.of<SharedExchanges>().rankExchanges.resize(3);
    const std::vector<RankExchange> parts = partsOfRanks(0, pattern, {{0}, {0}}, table);
    for (std::size_t rank = 0; rank < 3; ++rank)
      plan.of<SharedExchanges>().rankExchanges[rank].push_back(parts[rank]);
    return simulateRun(profile, timeline, machine, &loops, &plan);
  };
  // Two records of 25 bytes arrive at rank 1 at 2 + 49 + 10; one of them is handed over again at
  // 64.
  const RunSimulation run = simulateShared("", "");
  EXPECT_EQ(run.stuck, 0U);
  EXPECT_EQ(run.messages, 2U);
  EXPECT_EQ(run.ranks[0].total, 2);
  EXPECT_EQ(run.ranks[1].total, 61 + 3 + 2);
  EXPECT_EQ(run.ranks[1].waiting, 61);
  EXPECT_EQ(run.ranks[2].total, 66 + 24 + 10 + 3);
  ASSERT_EQ(run.path.size(), 2U); // rank 0 hands its message over at once
  EXPECT_EQ(run.path[0].rank, 1U);
  EXPECT_EQ(run.path[0].begin, 61);
  // A rank that computes passes nothing on.
  EXPECT_EQ(simulateShared("compute 200\n", "").ranks[2].total, 205 + 24 + 10 + 3);
  // Ranks meet before a collective call: two barriers of two rounds of 15.
  EXPECT_EQ(simulateShared("", "collective barrier\n").seconds, 103 + 4 * 15);
  // Everyone begins later by the time to make a communicator, two rounds where 16 ranks take four,
  // and to agree on 32 bytes in two rounds of 46; all meet at the end, in two rounds of 22.
  Machine duplicating = simpleMachine();
  duplicating.duplication = Duplication{16, 400};
  EXPECT_EQ(simulateShared("", "", duplicating).ranks[2].total, 200 + 92 + 103 + 44);
  // Bytes beyond 8192, 57 here, are a message of their own, at 8207 + 56.
  Machine eager = simpleMachine();
  eager.between.eager_limit = 10'000;
  EXPECT_EQ(simulateShared("", "", eager, "8200").ranks[1].total, 8263 + 3 + 2);
  EXPECT_EQ(simulateShared("", "", eager, "8200").ranks[2].total, 8268 + 24 + 10 + 3);
  // Its receive is posted when the first 8192 have come, at 22 + 10 + 8191, and been taken.
  eager.between.eager_limit = 50;
  const RunSimulation late = simulateShared("", "", eager, "8200");
  EXPECT_EQ(late.stuck, 0U);
  EXPECT_EQ(late.ranks[1].total, 8223 + 3 + 10 + 10 + 56 + 3 + 2);
  EXPECT_EQ(late.messages, 2U);
}

TEST(RunSimulation, RandomRunsEndAndTheirPathsAddUp) {
  Machine free;
  free.between.eager_limit = 1e9;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const Machine &machine : {defaultMachine(), free}) {
      const Profile profile = parseTextTrace(randomTrace(seed, 5, 60), "random");
      const Timeline timeline = unroll(profile, 1000000);
      const RunSimulation run = simulateRun(profile, timeline, machine);
      EXPECT_EQ(run.stuck, 0U) << seed;
      EXPECT_EQ(run.unmatched, 0U) << seed;
      double path = 0, travelled = 0, before = 0;
      for (const SimulatedPlace &place : run.places)
        path += place.pathComputation + place.pathOverhead + place.pathNetwork;
      for (const PathStep &step : run.path) {
        EXPECT_LE(step.begin, step.end) << seed;
        EXPECT_LE(before, step.begin) << seed;
        travelled += step.end - before;
        before = step.end;
      }
      EXPECT_NEAR(path, run.seconds, 1e-9 + 1e-9 * run.seconds) << seed;
      EXPECT_NEAR(travelled, run.seconds, 1e-9 + 1e-9 * run.seconds) << seed;
      for (const SimulatedRank &rank : run.ranks) {
        EXPECT_GE(rank.overhead, -1e-12) << seed;
        EXPECT_LE(rank.total, run.seconds) << seed;
      }
    }
}

TEST(RunSimulation, WhatIsCutOffIsNotWaitedFor) {
  const Profile profile = parseTextTrace(randomTrace(1, 5, 200, true), "random");
  for (std::uint64_t limit : {5, 20, 50, 100, 300}) {
    const Timeline timeline = unroll(profile, limit);
    const RunSimulation run = simulateRun(profile, timeline, defaultMachine());
    EXPECT_EQ(run.stuck, 0U) << limit;
    EXPECT_LE(run.events, limit);
  }
}
