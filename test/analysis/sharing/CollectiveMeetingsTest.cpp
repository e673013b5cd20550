// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CollectiveMeetings.h"

#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace sendwright;

namespace {

const SendLists ring{{1}, {2}, {3}, {0}};

/// Iterations of an execution of the loop and `calls` barriers each.
RunBuilder solver(int iterations, int calls) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    run.phase(ring, site);
    for (int call = 0; call < calls; ++call)
      run.barrier();
  }
  return run;
}

CollectiveMeetings meetingsOf(const RunBuilder &run) {
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  CollectiveMeetings::Instances instances{0, {}};
  for (const RecordedBatch &batch : loops.ranks[0].batches)
    instances.ends.push_back(batch.issued);
  return {timeline, {instances}};
}

/// 'm' for each call before which members meet, 'k' for others.
std::string lettersOf(const CollectiveMeetings &meetings, std::uint32_t calls) {
  std::string letters;
  for (std::uint32_t call = 0; call < calls; ++call)
    letters += meetings.meetsBefore(0, call) ? 'm' : 'k';
  return letters;
}

/// The plan has the numbers of the run that it is made from.
TEST(CollectiveMeetings, MembersMeetBeforeTheFirstCallAndThenSeldom) {
  EXPECT_EQ(lettersOf(meetingsOf(solver(16, 1)), 16), "mkkkkmkkkkkkkkmk");
  EXPECT_EQ(lettersOf(meetingsOf(solver(8, 2)), 16), "mkkkkmkkkkkkkkmk");
}

TEST(CollectiveMeetings, TheShareFallsWithTheLengthOfTheRun) {
  EXPECT_DOUBLE_EQ(meetingsOf(solver(4, 1)).share(), 0.25);
  EXPECT_DOUBLE_EQ(meetingsOf(solver(16, 1)).share(), 3.0 / 16);
  EXPECT_LT(meetingsOf(solver(200, 1)).share(), 0.05);
}

TEST(CollectiveMeetings, StepsAreTheInstancesBeforeEachCall) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  const std::vector<std::uint64_t> steps{2, 0, 3, 1};
  for (const std::uint64_t step : steps) {
    for (std::uint64_t times = 0; times < step; ++times)
      run.phase(ring, site);
    run.barrier();
  }
  const CollectiveMeetings meetings = meetingsOf(run);
  ASSERT_EQ(meetings.steps().size(), steps.size());
  for (std::size_t call = 0; call < steps.size(); ++call)
    EXPECT_EQ(meetings.steps()[call], RecordedSteps::Counts{steps[call]}) << call;
}

TEST(CollectiveMeetings, CallsThatRanksDoThemselvesAreNoSteps) {
  const RunBuilder run = solver(6, 2);
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const CollectiveMeetings meetings(timeline, {{0, {}}},
                                    [](std::size_t, const Event &) { return true; });
  EXPECT_EQ(meetings.steps().size(), 0U);
  EXPECT_FALSE(meetings.meetsBefore(0, 3));
}

TEST(CollectiveMeetings, OnCommunicatorsOfSomeRanksMembersAlwaysMeet) {
  EXPECT_TRUE(meetingsOf(solver(200, 1)).meetsBefore(1, 150));
}

TEST(CollectiveMeetings, WithoutCallsTheShareIsWhole) {
  EXPECT_DOUBLE_EQ(meetingsOf(solver(5, 0)).share(), 1);
}

} // namespace
