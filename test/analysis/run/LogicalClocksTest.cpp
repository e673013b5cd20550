// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which batches the clocks join into one phase, where each rank's part lies, and who is stuck.

#include "analysis/run/LogicalClocks.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sendwright {
namespace {

using Lines = std::vector<std::string>;

ClockedRun clocksOf(const RunBuilder &run) {
  const Timeline timeline = unroll(run.profile, 10000);
  return runLogicalClocks(timeline, findSendLoops(run.profile, timeline, {}));
}

std::string nameOf(const Phase &phase) {
  return "site " + std::to_string(phase.site) + ", epoch " + std::to_string(phase.epoch) +
         ", count " + std::to_string(phase.count);
}

/// Each phase: "site SITE, epoch EPOCH, count COUNT: RANK.BATCH...", in that order.
Lines phasesOf(const ClockedRun &clocked) {
  Lines lines;
  for (const Phase &phase : clocked.phases) {
    std::string line = nameOf(phase) + ":";
    for (const Phase::Member &member : phase.members)
      line += " " + std::to_string(member.rank) + "." + std::to_string(member.batch);
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Each part of a rank: "site SITE, epoch EPOCH, count COUNT: begin, sent, ready".
Lines partsOf(const ClockedRun &clocked, int rank) {
  Lines lines;
  for (const Part &part : clocked.parts[static_cast<std::size_t>(rank)])
    lines.push_back(nameOf(clocked.phases[part.phase]) + ": " + std::to_string(part.begin) + ", " +
                    std::to_string(part.sent) + ", " + std::to_string(part.ready));
  return lines;
}

void sendLoop(RunBuilder &run, int rank, int site, const std::vector<int> &destinations) {
  run.enter(rank, site);
  for (const int destination : destinations)
    run.send(rank, destination, 8, site);
  run.leave(rank, site);
}

TEST(LogicalClocks, TheKthExecutionsOfALoopAreItsKthPhase) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int execution = 0; execution < 2; ++execution)
    run.phase({{1}, {2}, {0}}, site);
  const ClockedRun clocked = clocksOf(run);
  EXPECT_EQ(phasesOf(clocked), (Lines{"site 0, epoch 0, count 1: 0.0 1.0 2.0",
                                      "site 0, epoch 0, count 2: 0.1 1.1 2.1"}));
  // Each rank posts a receive, enters the loop, sends, leaves the loop, and waits for everything.
  for (int rank = 0; rank < 3; ++rank)
    EXPECT_EQ(partsOf(clocked, rank),
              (Lines{"site 0, epoch 0, count 1: 2, 3, 4", "site 0, epoch 0, count 2: 7, 8, 9"}))
        << rank;
  EXPECT_TRUE(clocked.stuck.empty());
}

TEST(LogicalClocks, ASynchronizationBeginsToCountAnew) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  run.phase({{1}, {0}}, site);
  run.barrier();
  run.phase({{1}, {0}}, site);
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 0, count 1: 0.0 1.0", "site 0, epoch 1, count 1: 0.1 1.1"}));
}

TEST(LogicalClocks, LoopsAreCountedApart) {
  RunBuilder run(2);
  const int first = run.addSite(10), second = run.addSite(20);
  run.phase({{1}, {0}}, first);
  run.phase({{1}, {0}}, second);
  run.phase({{1}, {0}}, first);
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 0, count 1: 0.0 1.0", "site 0, epoch 0, count 2: 0.2 1.2",
                   "site 1, epoch 0, count 1: 0.1 1.1"}));
}

/// A received message makes a rank's first execution the third.
TEST(LogicalClocks, AMessageTellsHowFarItsSenderIs) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  sendLoop(run, 0, site, {1});
  sendLoop(run, 0, site, {1});
  run.receive(1, 0);
  run.receive(1, 0);
  sendLoop(run, 1, site, {0});
  run.receive(0, 1);
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 0, count 1: 0.0", "site 0, epoch 0, count 2: 0.1",
                   "site 0, epoch 0, count 3: 1.0"}));
}

/// The rank has no message in the first two phases and cannot know about them; its receiver can.
TEST(LogicalClocks, ARankThatJoinsLateIsCountedAsItsReceiversAre) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  run.phase({{1}, {0}, {}}, site);
  run.phase({{1}, {0}, {}}, site);
  run.phase({{1}, {0}, {0}}, site);
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 0, count 1: 0.0 1.0", "site 0, epoch 0, count 2: 0.1 1.1",
                   "site 0, epoch 0, count 3: 0.2 1.2 2.0"}));
}

/// A rank that goes on sending was not late: it counts its executions itself.
TEST(LogicalClocks, ARankThatSendsAgainIsCountedByItself) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  for (int execution = 0; execution < 2; ++execution)
    run.phase({{1}, {0}, {}}, site);
  run.post(0, 2);
  run.post(0, 2);
  sendLoop(run, 2, site, {0});
  sendLoop(run, 2, site, {0});
  run.waitAll(0);
  EXPECT_EQ(phasesOf(clocksOf(run)), (Lines{"site 0, epoch 0, count 1: 0.0 1.0 2.0",
                                            "site 0, epoch 0, count 2: 0.1 1.1 2.1"}));
}

TEST(LogicalClocks, ASynchronizationOfSomeCountsForThemAndForThoseWhoHearOfThem) {
  RunBuilder run(4);
  const int site = run.addSite(10), other = run.addSite(20), some = run.addCommunicator({0, 1});
  run.collective(0, MpiFunctionId::Barrier, some);
  run.collective(1, MpiFunctionId::Barrier, some);
  sendLoop(run, 0, site, {2});
  run.receive(2, 0);
  sendLoop(run, 2, other, {0});
  sendLoop(run, 3, other, {0});
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 1, count 1: 0.0", "site 1, epoch 0, count 1: 3.0",
                   "site 1, epoch 1, count 1: 2.0"}));
}

/// A broadcast lets its root go on before other ranks have come.
TEST(LogicalClocks, ABroadcastIsNoSynchronization) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  run.phase({{1}, {0}}, site);
  for (const int rank : {0, 1})
    run.collective(rank, MpiFunctionId::Bcast);
  run.phase({{1}, {0}}, site);
  EXPECT_EQ(phasesOf(clocksOf(run)),
            (Lines{"site 0, epoch 0, count 1: 0.0 1.0", "site 0, epoch 0, count 2: 0.1 1.1"}));
}

TEST(LogicalClocks, ARankThatOnlyReceivesHasItsPartWhereItReceived) {
  RunBuilder run(2);
  const int site = run.addSite(10);
  run.phase({{1}, {}}, site);
  EXPECT_EQ(partsOf(clocksOf(run), 1), Lines{"site 0, epoch 0, count 1: 1, 1, 1"});
}

TEST(LogicalClocks, RanksThatWaitInACircleAreStuckAndOthersGoOn) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (const int rank : {0, 1}) {
    run.compute(rank, 1.0);
    run.receive(rank, 1 - rank);
    sendLoop(run, rank, site, {1 - rank});
  }
  sendLoop(run, 2, site, {3});
  run.receive(3, 2);
  const ClockedRun clocked = clocksOf(run);
  EXPECT_EQ(clocked.stuck, (std::vector<EventPosition>{{0, 1}, {1, 1}}));
  EXPECT_EQ(phasesOf(clocked), Lines{"site 0, epoch 0, count 1: 2.0"});
}

TEST(LogicalClocks, ASynchronizationThatSomebodyMissesIsWhereTheOthersAreStuck) {
  RunBuilder run(3);
  const int site = run.addSite(10);
  run.phase({{1}, {2}, {0}}, site);
  for (const int rank : {0, 1})
    run.collective(rank, MpiFunctionId::Barrier);
  for (const int rank : {0, 1})
    sendLoop(run, rank, site, {1 - rank});
  const ClockedRun clocked = clocksOf(run);
  EXPECT_EQ(clocked.stuck, (std::vector<EventPosition>{{0, 5}, {1, 5}}));
  EXPECT_EQ(phasesOf(clocked), Lines{"site 0, epoch 0, count 1: 0.0 1.0 2.0"});
}

} // namespace
} // namespace sendwright
