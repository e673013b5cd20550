// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where sends complete early, and why elsewhere they do not.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/replay/RunSimulation.h"
#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

constexpr int ranks = 8;

PlannerOptions replaying() {
  PlannerOptions options = defaults();
  options.replay = RunReplay::Choose;
  return options;
}

/// Every rank but the last sends to the next and only then receives from the one before: the last
/// rank receives at once, and each other rank once the next one has received.
RunBuilder shifts(std::uint64_t bytes, int messages = 1,
                  MpiFunctionId function = MpiFunctionId::Send) {
  RunBuilder run(ranks);
  const int site = run.addSite(10);
  for (int round = 0; round < 3; ++round)
    for (int rank = 0; rank < ranks; ++rank) {
      run.enter(rank, site);
      for (int message = 0; message < messages && rank + 1 < ranks; ++message)
        run.send(rank, rank + 1, bytes, site, function);
      for (int message = 0; message < messages && rank > 0; ++message)
        run.receive(rank, rank - 1, site);
      run.leave(rank, site);
    }
  return run;
}

/// As if the profile had times: each call takes `seconds`, and the run one second.
void measure(RunBuilder &run, double seconds) {
  for (RankProfile &rank : run.profile.ranks) {
    rank.seconds = 1;
    for (std::size_t number = 0; number < rank.events.size(); ++number)
      rank.statistics.push_back({3, 0, 0, 0, 3 * seconds});
  }
}

const EarlyCompletions &earlyOf(const ProfilePlan &plan) {
  return plan.plan.of<EarlyCompletions>();
}

std::string refusalOf(const ProfilePlan &plan) {
  return sentenceOf(plan.plan.sites.at(0).of<SiteCompletion>().refusal);
}

double secondsUnder(const RunBuilder &run, const RankCountPlan *plan) {
  const Timeline timeline = unroll(run.profile, 100000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  return simulateRun(run.profile, timeline, defaultMachine(), &loops, plan).seconds;
}

TEST(CompletionDecision, FreesALineOfRanksThatWaitForOneAnother) {
  const RunBuilder run = shifts(100'000);
  const ProfilePlan plan = planOf(run, replaying());
  ASSERT_EQ(plan.plan.sites.size(), 1u);
  EXPECT_EQ(plan.plan.sites[0].decision, Decision::Rewrite);
  EXPECT_EQ(plan.plan.sites[0].transformation, earlyCompletionStem);
  EXPECT_EQ(earlyOf(plan).sites, std::vector<std::uint32_t>{0});
  EXPECT_EQ(earlyOf(plan).least, 65'537u);
  EXPECT_EQ(earlyOf(plan).most, standardEarlyBytes);
  EXPECT_EQ(refusalOf(plan), "");
  EXPECT_LT(secondsUnder(run, &plan.plan), 0.5 * secondsUnder(run, nullptr));
}

TEST(CompletionDecision, LeavesSendsThatMpiCompletesByItself) {
  const ProfilePlan plan = planOf(shifts(60'000), replaying());
  EXPECT_TRUE(earlyOf(plan).sites.empty());
  EXPECT_EQ(refusalOf(plan), "");
}

TEST(CompletionDecision, LeavesSynchronousSends) {
  EXPECT_TRUE(earlyOf(planOf(shifts(100'000, 1, MpiFunctionId::Ssend), replaying())).sites.empty());
}

TEST(CompletionDecision, LeavesLargeMessagesAndSaysSo) {
  const ProfilePlan plan = planOf(shifts(4'000'000), replaying());
  EXPECT_TRUE(earlyOf(plan).sites.empty());
  EXPECT_EQ(refusalOf(plan), "its messages of 4 MB are larger than 1.05 MB");
}

TEST(CompletionDecision, LeavesSendsThatTakeLittleOfTheMeasuredRun) {
  RunBuilder run = shifts(100'000);
  measure(run, 0.0003);
  EXPECT_TRUE(earlyOf(planOf(run, replaying())).sites.empty());
  RunBuilder longer = shifts(100'000);
  measure(longer, 0.1);
  const ProfilePlan plan = planOf(longer, replaying());
  EXPECT_EQ(earlyOf(plan).sites.size(), 1u);
  EXPECT_NEAR(plan.plan.sites[0].of<SiteCompletion>().percent, 30, 1e-9);
}

TEST(CompletionDecision, NeedsAMachine) {
  EXPECT_TRUE(earlyOf(planOf(shifts(100'000))).sites.empty());
}

TEST(CompletionDecision, IsLeftOutOnRequest) {
  PlannerOptions options = replaying();
  options.leftOut = {earlyCompletionStem};
  EXPECT_TRUE(earlyOf(planOf(shifts(100'000), options)).sites.empty());
}

/// As shifts(), but nonblocking, with a wait behind the receive.
RunBuilder nonblockingShifts(std::uint64_t bytes) {
  RunBuilder run(ranks);
  const int site = run.addSite(10);
  for (int round = 0; round < 3; ++round)
    for (int rank = 0; rank < ranks; ++rank) {
      run.enter(rank, site);
      if (rank + 1 < ranks)
        run.postSend(rank, rank + 1, bytes, site);
      run.waitAll(rank, site);
      if (rank > 0)
        run.receive(rank, rank - 1, site);
      run.leave(rank, site);
    }
  return run;
}

TEST(CompletionDecision, FreesNonblockingSendsThatAreWaitedFor) {
  const RunBuilder run = nonblockingShifts(100'000);
  const ProfilePlan plan = planOf(run, replaying());
  EXPECT_EQ(earlyOf(plan).sites.size(), 1u);
  EXPECT_LT(secondsUnder(run, &plan.plan), 0.5 * secondsUnder(run, nullptr));
  RunBuilder measured = nonblockingShifts(100'000);
  measure(measured, 0.1);
  EXPECT_NEAR(planOf(measured, replaying()).plan.sites[0].of<SiteCompletion>().percent, 60, 1e-9);
}

TEST(CompletionDecision, ListsWaitsThatTakeLong) {
  RunBuilder run = nonblockingShifts(8);
  run.profile.callSites.push_back({"app.c", "exchange", 40, 0, 7, ""});
  for (RankProfile &rank : run.profile.ranks)
    for (Event &event : rank.events)
      if (event.kind == EventKind::Call && event.function == MpiFunctionId::Waitall)
        event.call = 0;
  measure(run, 0.1);
  const ProfilePlan plan = planOf(run, replaying());
  ASSERT_EQ(plan.plan.of<LongWaits>().waits.size(), 1u);
  EXPECT_NEAR(plan.plan.of<LongWaits>().waits[0].percent, 30, 1e-9);
  EXPECT_TRUE(planOf(run).plan.of<LongWaits>().waits.empty()); // nobody named a machine
}

TEST(CompletionDecision, WaitsWhereCopiesHaveNoRoom) {
  const RunBuilder one = shifts(600'000), two = shifts(600'000, 2);
  RankCountPlan plan = planOf(one, replaying()).plan;
  ASSERT_EQ(plan.of<EarlyCompletions>().sites.size(), 1u);
  const double roomForOne = secondsUnder(two, &plan);
  plan.of<EarlyCompletions>().most = 1'200'000;
  const double roomForTwo = secondsUnder(two, &plan);
  EXPECT_LT(roomForTwo, 0.8 * roomForOne);
  EXPECT_LE(roomForOne, secondsUnder(two, nullptr) * 1.01);
}

} // namespace
} // namespace sendwright
