// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Comm_dup_with_info means for a run what MPI_Comm_dup means: its line in the table is enough.

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/run/Timeline.h"
#include "analysis/trace/TextTrace.h"

#include <gtest/gtest.h>

#include <string>

namespace sendwright {
namespace {

/// Two ranks, with a message before the call and another behind it.
Profile duplicating(const std::string &function) {
  const std::string call = "collective " + function + "\n";
  return parseTextTrace("sendwright-trace 1\nranks 2\n"
                        "rank 0\nsend 1\n" +
                            call + "send 1\n" + "rank 1\ncompute 5\nrecv 0\n" + call + "recv 0\n",
                        "run.trace");
}

TEST(DuplicationWithInfo, EndsBatchesAndSynchronizesNobody) {
  const Profile profile = duplicating("comm_dup_with_info");
  const Event &event = profile.ranks[0].events[1];
  ASSERT_EQ(mpiFunction(event.function).name, "MPI_Comm_dup_with_info");
  EXPECT_TRUE(endsBatch(event, profile.ranks[0], 2));
  EXPECT_FALSE(unroll(profile, 1000).ranks[0].synchronizes(1));
}

TEST(DuplicationWithInfo, ImpliesNothingForBuffersAndMayWait) {
  const Profile profile = duplicating("comm_dup_with_info");
  const EpochAnalysis epochs = analyzeEpochs(profile, TraceLocation("run.trace", profile));
  EXPECT_EQ(epochs.figures.wholeProgramBuffers[1], 2U);
  ASSERT_EQ(epochs.graph.collectives.size(), 1U);
  EXPECT_TRUE(epochs.graph.collectives[0].mayMeet);
}

TEST(DuplicationWithInfo, TakesAsLongAsADuplicationWithout) {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  const auto simulate = [&](const std::string &function) {
    const Profile profile = duplicating(function);
    return simulateRun(profile, unroll(profile, 1000), machine);
  };
  const RunSimulation with = simulate("comm_dup_with_info"), without = simulate("comm_dup");
  EXPECT_EQ(with.seconds, without.seconds);
  EXPECT_EQ(with.messages, without.messages);
  EXPECT_GT(with.messages, 2U);
  EXPECT_EQ(with.stuck, 0U);
}

} // namespace
} // namespace sendwright
