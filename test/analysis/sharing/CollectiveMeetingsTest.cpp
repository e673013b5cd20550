// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CollectiveMeetings.h"

#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

#include <string>

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

TEST(CollectiveMeetings, MembersMeetUntilTheInstancesRepeat) {
  EXPECT_EQ(lettersOf(meetingsOf(solver(16, 1)), 16), "mmmmmmmkkkkmkkkk");
  EXPECT_EQ(lettersOf(meetingsOf(solver(8, 2)), 16), "mmmmmmmmkkkkmkkk");
}

TEST(CollectiveMeetings, TheShareFallsWithTheLengthOfTheRun) {
  EXPECT_DOUBLE_EQ(meetingsOf(solver(4, 1)).share(), 1);
  EXPECT_DOUBLE_EQ(meetingsOf(solver(16, 1)).share(), 0.5);
  EXPECT_LT(meetingsOf(solver(200, 1)).share(), 0.1);
}

TEST(CollectiveMeetings, OnCommunicatorsOfSomeRanksMembersAlwaysMeet) {
  EXPECT_TRUE(meetingsOf(solver(200, 1)).meetsBefore(1, 150));
}

TEST(CollectiveMeetings, WithoutCallsTheShareIsWhole) {
  EXPECT_DOUBLE_EQ(meetingsOf(solver(5, 0)).share(), 1);
}

} // namespace
