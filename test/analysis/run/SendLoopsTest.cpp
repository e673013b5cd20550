// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loop holds the batch of a send, and where the batch ends, in runs of a few calls.

#include "analysis/run/SendLoops.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace sendwright {
namespace {

/// `refusals`: by site, why the compiler would leave the loop as written.
SendLoops loopsOf(const Profile &profile, const std::vector<std::string> &refusals = {}) {
  return findSendLoops(profile, unroll(profile, 10000), refusals);
}

/// Each batch of a rank: "site SITE: positions of its sends, issued at POSITION".
std::vector<std::string> batchesOf(const SendLoops &loops, int rank) {
  const RankBatches &found = loops.ranks[static_cast<std::size_t>(rank)];
  std::vector<std::string> lines;
  for (const RecordedBatch &batch : found.batches) {
    std::string line = "site " + std::to_string(batch.site) + ":";
    for (std::size_t send = batch.first; send < batch.end; ++send)
      line += " " + std::to_string(found.sends[send]);
    lines.push_back(line + ", issued at " + std::to_string(batch.issued));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(SendLoops, ABatchHoldsTheSendsOfOneExecution) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int execution = 0; execution < 2; ++execution) {
    run.enter(0, site);
    run.send(0, 1, 8, site);
    run.send(0, 2, 8, site);
    run.leave(0, site);
  }
  const SendLoops loops = loopsOf(run.profile);
  EXPECT_EQ(batchesOf(loops, 0), (Lines{"site 0: 1 2, issued at 3", "site 0: 5 6, issued at 7"}));
  EXPECT_TRUE(loops.ranks[1].batches.empty());
  EXPECT_EQ(loops.loops[0].sends, 4U);
  EXPECT_EQ(loops.loops[0].destinations, 2U);
  EXPECT_EQ(loops.loops[0].batchDestinations, 2U);
  EXPECT_EQ(loops.loops[0].batchSite, site);
  EXPECT_FALSE(loops.loops[0].separated);
}

/// A loop over the sides of a box contains a loop over the neighbours at each side.
TEST(SendLoops, AnOuterLoopThatAddsDestinationsHoldsTheBatch) {
  RunBuilder run(4);
  const int outer = run.addSite(10), inner = run.addSite(20);
  run.enter(0, outer);
  for (const int destination : {1, 2, 3}) {
    run.enter(0, inner);
    run.send(0, destination, 8, inner);
    run.leave(0, inner);
  }
  run.leave(0, outer);
  const SendLoops loops = loopsOf(run.profile);
  EXPECT_EQ(batchesOf(loops, 0), Lines{"site 0: 2 5 8, issued at 10"});
  EXPECT_EQ(loops.loops[inner].batchSite, outer);
  EXPECT_EQ(loops.loops[inner].destinations, 1U);
  EXPECT_EQ(loops.loops[outer].destinations, 3U);
  EXPECT_EQ(loops.loops[outer].batchDestinations, 3U);
}

/// The compiler would leave the outer loop as written, so that the inner ones are what can be done.
TEST(SendLoops, AnOuterLoopThatTheCompilerWouldLeaveHoldsNoBatch) {
  RunBuilder run(3);
  const int outer = run.addSite(10), inner = run.addSite(20);
  run.enter(0, outer);
  for (const int destination : {1, 2}) {
    run.enter(0, inner);
    run.send(0, destination, 8, inner);
    run.leave(0, inner);
  }
  run.leave(0, outer);
  EXPECT_EQ(batchesOf(loopsOf(run.profile), 0), Lines{"site 0: 2 5, issued at 7"});
  const SendLoops loops = loopsOf(run.profile, {"it waits outside of MPI", ""});
  EXPECT_EQ(batchesOf(loops, 0), (Lines{"site 1: 2, issued at 3", "site 1: 5, issued at 6"}));
  EXPECT_EQ(loops.loops[outer].refusal, "it waits outside of MPI");
}

/// A loop over time steps contains the exchange.
TEST(SendLoops, AnOuterLoopWithTheSameDestinationsLeavesTheBatchToTheInnerOne) {
  RunBuilder run(3);
  const int outer = run.addSite(10), inner = run.addSite(20);
  run.enter(0, outer);
  for (int step = 0; step < 2; ++step) {
    run.enter(0, inner);
    run.send(0, 1, 8, inner);
    run.send(0, 2, 8, inner);
    run.leave(0, inner);
  }
  run.leave(0, outer);
  const SendLoops loops = loopsOf(run.profile);
  EXPECT_EQ(batchesOf(loops, 0), (Lines{"site 1: 2 3, issued at 4", "site 1: 6 7, issued at 8"}));
  EXPECT_EQ(loops.loops[inner].batchSite, inner);
  EXPECT_EQ(loops.loops[outer].batchSite, -1);
}

TEST(SendLoops, AnOuterLoopThatReceivesBetweenItsSendsHoldsNoBatch) {
  RunBuilder run(4);
  const int outer = run.addSite(10), inner = run.addSite(20);
  run.enter(0, outer);
  for (const int destination : {1, 2, 3}) {
    run.enter(0, inner);
    run.send(0, destination, 8, inner);
    run.leave(0, inner);
    run.receive(0, destination);
  }
  run.leave(0, outer);
  const SendLoops loops = loopsOf(run.profile);
  EXPECT_TRUE(loops.loops[outer].separated);
  EXPECT_EQ(loops.loops[outer].separator, MpiFunctionId::Recv);
  EXPECT_FALSE(loops.loops[inner].separated);
  EXPECT_EQ(loops.loops[inner].batchSite, inner);
  EXPECT_EQ(batchesOf(loops, 0).size(), 3U);
}

/// A call after the last send separates nothing.
TEST(SendLoops, AReceiveBehindTheLastSendEndsTheBatchAndSeparatesNothing) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  run.enter(0, site);
  run.send(0, 1, 8, site);
  run.receive(0, 1);
  run.leave(0, site);
  const SendLoops loops = loopsOf(run.profile);
  EXPECT_FALSE(loops.loops[site].separated);
  EXPECT_EQ(batchesOf(loops, 0), Lines{"site 0: 1, issued at 2"});
}

TEST(SendLoops, WaitingForOwnSendsIsToldFromWaitingForOthers) {
  const auto separation = [](bool withReceive) {
    RunBuilder run(3);
    const int site = run.addSite(10);
    run.enter(0, site);
    for (const int destination : {1, 2}) {
      if (withReceive)
        run.post(0, destination);
      run.postSend(0, destination, 8, site);
      run.waitAll(0, site);
    }
    run.leave(0, site);
    return loopsOf(run.profile).loops[0];
  };
  const LoopFacts own = separation(false), mixed = separation(true);
  EXPECT_TRUE(own.separated);
  EXPECT_EQ(own.separator, MpiFunctionId::Waitall);
  EXPECT_TRUE(own.waitsForOwnSends);
  EXPECT_TRUE(mixed.separated);
  EXPECT_FALSE(mixed.waitsForOwnSends);
}

/// The end of the inner loop's own batch would issue what the outer batch holds.
TEST(SendLoops, ALoopWithBatchesOfItsOwnElsewhereHasThemInsideOthersToo) {
  const auto batches = [](bool alsoAlone) {
    RunBuilder run(4);
    const int outer = run.addSite(10), inner = run.addSite(20);
    const auto sendInner = [&] {
      run.enter(0, inner);
      run.send(0, 1, 8, inner);
      run.send(0, 2, 8, inner);
      run.leave(0, inner);
    };
    run.enter(0, outer);
    run.send(0, 3, 8, outer);
    sendInner();
    run.leave(0, outer);
    if (alsoAlone)
      sendInner();
    return batchesOf(loopsOf(run.profile), 0);
  };
  EXPECT_EQ(batches(false), Lines{"site 0: 1 3 4, issued at 6"});
  EXPECT_EQ(batches(true), (Lines{"site 0: 1, issued at 3", "site 1: 3 4, issued at 5",
                                  "site 1: 8 9, issued at 10"}));
}

TEST(SendLoops, TheEndOfALoopIsTheEndOfLoopsInsideThatWereLeftByAJump) {
  RunBuilder run(2);
  const int outer = run.addSite(10), inner = run.addSite(20);
  run.enter(0, outer);
  run.enter(0, inner);
  run.send(0, 1, 8, inner);
  run.leave(0, outer);
  run.send(0, 1, 8, noSite);
  EXPECT_EQ(batchesOf(loopsOf(run.profile), 0), Lines{"site 1: 2, issued at 3"});
}

/// The end of a loop whose beginning is unknown ends no other loop.
TEST(SendLoops, TheEndOfALoopThatIsNotOpenEndsNothing) {
  RunBuilder run(3);
  const int site = run.addSite(10), other = run.addSite(20);
  run.enter(0, site);
  run.send(0, 1, 8, site);
  run.leave(0, other);
  run.send(0, 2, 8, site);
  run.leave(0, site);
  EXPECT_EQ(batchesOf(loopsOf(run.profile), 0), Lines{"site 0: 1 3, issued at 4"});
}

/// A recursion deeper than what is followed: the ends of loops that are not must not end those that
/// are followed.
TEST(SendLoops, ADeepRecursionIsLeftWhereItsOutermostLoopsAre) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  for (int level = 0; level < 300; ++level)
    run.enter(0, site);
  for (int level = 0; level < 250; ++level)
    run.leave(0, site);
  run.send(0, 1, 8, noSite);
  for (int level = 0; level < 50; ++level)
    run.leave(0, site);
  EXPECT_EQ(batchesOf(loopsOf(run.profile), 0), Lines{"site 0: 550, issued at 551"});
}

/// Text traces mark no loops: an execution lasts to the next collective, or to a send at another
/// site.
TEST(SendLoops, WithoutMarksSendsOfOneSiteAreABatchUpToACollective) {
  const Profile profile = parseTextTrace(
      "sendwright-trace 1\nranks 3\nrank 0\nsend 1 site=a.c:7\nsend 2 site=a.c:7\n"
      "collective barrier\nsend 1 site=a.c:7\nsend 2 site=a.c:9\nsend 1 site=a.c:9\n",
      "run");
  const SendLoops loops = loopsOf(profile);
  // The end of such a loop is unknown: it is at its last send or later.
  EXPECT_EQ(batchesOf(loops, 0), (Lines{"site 0: 0 1, issued at 1", "site 0: 3, issued at 3",
                                        "site 1: 4 5, issued at 5"}));
  EXPECT_EQ(loops.loops[0].batchDestinations, 2U);
  EXPECT_FALSE(loops.loops[0].separated);
}

TEST(SendLoops, SendsInNoLoopAreInNoBatch) {
  RunBuilder run(2);
  run.send(0, 1, 8, noSite);
  EXPECT_TRUE(loopsOf(run.profile).ranks[0].batches.empty());
}

TEST(SendLoops, TheComputationOfABatchLiesBetweenItsFirstAndItsLastSend) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  run.enter(0, site);
  run.compute(0, 4.0);
  run.send(0, 1, 8, site);
  run.compute(0, 0.5);
  run.send(0, 2, 8, site);
  run.compute(0, 2.0);
  run.leave(0, site);
  const SendLoops loops = loopsOf(run.profile);
  ASSERT_EQ(loops.ranks[0].batches.size(), 1U);
  EXPECT_DOUBLE_EQ(loops.ranks[0].batches[0].computation, 0.5);
}

namespace {

/// The computation of rank 0's only kind of batch: a send to each other rank. `before`: measured
/// before each send, in each execution.
double computationOf(const std::vector<std::vector<double>> &before) {
  RunBuilder run(static_cast<int>(before.size()) + 1);
  const int site = run.addSite(10);
  const std::size_t executions = before[0].size();
  for (std::size_t execution = 0; execution < executions; ++execution) {
    run.enter(0, site);
    for (int destination = 1; destination <= static_cast<int>(before.size()); ++destination)
      run.send(0, destination, 8, site);
    run.leave(0, site);
  }
  RankProfile &rank = run.profile.ranks[0];
  for (const Event &event : rank.events) {
    EventStatistics &measured = rank.statistics.emplace_back();
    measured.count = executions;
    if (event.kind != EventKind::Call)
      continue;
    const std::vector<double> &times = before[static_cast<std::size_t>(event.peer) - 1];
    measured.before = std::accumulate(times.begin(), times.end(), 0.0);
    measured.beforeMinimum = *std::min_element(times.begin(), times.end());
    measured.beforeMaximum = *std::max_element(times.begin(), times.end());
  }
  return loopsOf(run.profile).ranks[0].batches[0].computation;
}

} // namespace

TEST(SendLoops, AnInterruptionIsNoComputation) {
  // Once and several times in one gap, and in the only execution of a loop.
  EXPECT_LE(computationOf({{1, 1, 1, 1}, {1, 1, 5000, 1}, {1, 1, 1, 1}}), 3);
  EXPECT_LE(computationOf({{1, 1, 1, 1, 1}, {5000, 1, 5000, 1, 5000}, {1, 1, 1, 1, 1}}), 4);
  EXPECT_LE(computationOf({{1, 1}, {1, 5000}, {1, 1}}), 3);
  EXPECT_LE(computationOf({{1}, {1}, {5000}, {1}}), 4);
}

TEST(SendLoops, ComputationThatVariesCounts) {
  EXPECT_DOUBLE_EQ(computationOf({{1, 1, 1}, {80, 100, 120}, {60, 90, 110}}), 190);
  EXPECT_DOUBLE_EQ(computationOf({{1}, {100}, {120}, {110}}), 330);
}

TEST(SendLoops, CallsAreCountedByWhatTheyAre) {
  RunBuilder run(2);
  const int site = run.addSite(10), other = run.addCommunicator({1}, true);
  for (const MpiFunctionId function :
       {MpiFunctionId::Send, MpiFunctionId::Isend, MpiFunctionId::Bsend, MpiFunctionId::Ssend,
        MpiFunctionId::Issend})
    run.send(0, 1, 8, site, function);
  run.sendReceive(0, 1, 1, 0, 8, site);
  run.send(0, 1, 8, site, MpiFunctionId::Send, other);
  run.send(0, nullRank, 8, site);
  const LoopFacts facts = loopsOf(run.profile).loops[0];
  EXPECT_EQ(facts.sends, 3U);
  EXPECT_EQ(facts.synchronous, 2U);
  EXPECT_EQ(facts.exchanges, 1U);
  EXPECT_EQ(facts.toOtherGroups, 1U);
}

} // namespace
} // namespace sendwright
