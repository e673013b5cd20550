// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs in which ranks wait for what never comes, in every way that a file can express. All code
// that advances ranks until they block must end on these runs, and say so.

#include "analysis/file/FormatError.h"
#include "analysis/ordering/FollowingPaths.h"
#include "analysis/planner/Planner.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/run/LogicalClocks.h"
#include "analysis/run/SharingWaits.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/ModelExecutor.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace sendwright {
namespace {

struct StuckRun {
  const char *name;
  const char *trace; ///< behind its first line
  bool replayStops;  ///< also where only batches and synchronisations are followed
};

const StuckRun stuckRuns[] = {
    {"MissingPartner", "ranks 2\nrank 0\nrecv 1 site=a.c:1\nsend 1 site=a.c:2\nrank 1\nrecv 0\n",
     false},
    {"CircularWait",
     "ranks 2\n"
     "rank 0\nrecv 1 site=a.c:1\nsend 1 site=a.c:2\nrank 1\nrecv 0 site=a.c:1\nsend 0 site=a.c:2\n",
     true},
    {"CircleWithABystander",
     "ranks 3\nrank 0\nrecv 1 tag=1\nsend 1 tag=1 site=a.c:2\nsend 2 tag=1 site=a.c:2\n"
     "rank 1\nrecv 0 tag=1\nsend 0 tag=1 site=a.c:2\nrank 2\nrecv 0 tag=1\n",
     true},
    {"ReceiveFromItselfFirst",
     "ranks 4\nrank 0\nsend 3 bytes=8000 tag=2 site=a.c:12\ncompute 0.0001\n"
     "recv 0 bytes=8000 tag=1\nsend 0 bytes=8000 tag=1 site=a.c:11\n"
     "send 1 bytes=8000 tag=2 site=a.c:12\n",
     true},
    {"RankThatEndsEarly",
     "ranks 3\nrank 0\nsend 1 site=a.c:2\ncollective barrier\n"
     "rank 1\nrecv 0\nrank 2\nsend 0 site=a.c:2\ncollective barrier\n",
     true},
    {"WildcardWithoutSource", "ranks 2\nrank 0\nrecv * site=a.c:1\nrank 1\nsend 0 site=a.c:2\n",
     false},
    {"CollectiveThatSomeSkip",
     "ranks 3\nrank 0\ncollective allreduce\nsend 1 site=a.c:2\nrank 1\nrecv 0\nrank 2\n"
     "collective allreduce\n",
     true},
    {"CollectivesInDifferentOrders",
     "ranks 2\nrank 0\ncollective barrier\ncollective barrier comm=1\n"
     "rank 1\ncollective barrier comm=1\ncollective barrier\n",
     true},
    {"RequestThatNeverCompletes",
     "ranks 2\nrank 0\nirecv 1 req=1 tag=9\nwait req=1\nsend 1 site=a.c:2\nrank 1\nrecv 0\n"
     "send 0 tag=9 site=a.c:2\n",
     true},
};

class StuckRuns : public testing::TestWithParam<StuckRun> {
protected:
  void SetUp() override { alarm(20); } // ends the test if an engine never ends
  void TearDown() override { alarm(0); }

  Profile profile = parseTextTrace("sendwright-trace 1\n" + std::string(GetParam().trace), "run");
  Timeline timeline = unroll(profile, 1000);
};

TEST_P(StuckRuns, TheReplayOfPhasesEndsAndSaysWhereRanksAre) {
  const ClockedRun clocked = runLogicalClocks(timeline, findSendLoops(profile, timeline, {}));
  EXPECT_EQ(!clocked.stuck.empty(), GetParam().replayStops);
  for (const EventPosition &stuck : clocked.stuck)
    EXPECT_LT(stuck.position, timeline.ranks[stuck.rank].size());
}

TEST_P(StuckRuns, FollowingPathsReachTheBeginning) {
  const FollowingPaths paths(timeline, defaultMachine());
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    for (std::size_t position = 1; position < timeline.ranks[rank].size(); ++position)
      EXPECT_LE(paths.after(rank, position), paths.after(rank, position - 1));
}

TEST_P(StuckRuns, CircularWaitsAreLookedForToAnEnd) {
  SharedMessages shared;
  shared.instanceOf.assign(timeline.messages.size(), 0);
  ExchangeInstance all{7, {}, false};
  for (std::uint32_t rank = 0; rank < timeline.ranks.size(); ++rank)
    if (timeline.ranks[rank].size() > 0)
      all.entries.push_back({rank, static_cast<std::uint32_t>(timeline.ranks[rank].size() - 1)});
  shared.instances = {all};
  EXPECT_LE(findCircularWaits(timeline, shared).size(), 1U);
}

TEST_P(StuckRuns, AnExecutionWithBuffersForAllNamesWhatNeverComes) {
  EXPECT_THROW(analyzeEpochs(profile, TraceLocation("run", profile)), FormatError);
}

TEST_P(StuckRuns, TheSimulatedRunCountsRanksThatNeverEndAndMessagesThatNobodyTakes) {
  const RunSimulation run = simulateRun(profile, timeline, defaultMachine());
  EXPECT_GT(run.stuck + run.unmatched, 0U);
}

TEST_P(StuckRuns, APlanIsMadeOfWhatComesBefore) {
  for (const RunReplay replay : {RunReplay::None, RunReplay::Report, RunReplay::Choose}) {
    PlannerOptions options;
    options.machine = defaultMachine();
    options.replay = replay;
    const ProfilePlan plan = planProfile(profile, "run", options);
    EXPECT_EQ(plan.stuckRanks > 0, GetParam().replayStops);
    EXPECT_EQ(plan.stuckAt.empty(), !GetParam().replayStops);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StuckRuns, testing::ValuesIn(stuckRuns),
                         [](const auto &run) { return std::string(run.param.name); });

/// Without a buffer two ranks that send to each other first are stuck, although the run was not.
TEST(StuckModel, EndsWhereRanksWaitForBuffers) {
  alarm(20);
  const std::string text = "sendwright-trace 1\nranks 2\nrank 0\nsend 1\nrecv 1\n"
                           "rank 1\nsend 0\nrecv 0\n";
  const Profile profile = parseTextTrace(text, "run");
  const EpochAnalysis analysis = analyzeEpochs(profile, TraceLocation("run", profile, text));
  EXPECT_FALSE(executeModel(analysis, {0, 0}, std::nullopt, 1).ended);
  alarm(0);
}

} // namespace
} // namespace sendwright
