// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Alltoallv synchronises its ranks only where each has something for each other.

#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/run/LogicalClocks.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

constexpr int ranks = 4;

/// An exchange of a loop, the calls, and another exchange.
template <typename Call> RunBuilder runAround(Call call) {
  RunBuilder run(ranks);
  const int site = run.addSite(10);
  for (int time = 0; time < 2; ++time) {
    for (int rank = 0; rank < ranks; ++rank) {
      run.post(rank, (rank + 3) % ranks);
      run.enter(rank, site);
      run.send(rank, (rank + 1) % ranks, 8, site);
      run.leave(rank, site);
      run.waitAll(rank);
    }
    for (int rank = 0; rank < ranks; ++rank)
      call(run, rank);
  }
  return run;
}

/// The epochs of the loop's phases, which synchronisations separate.
std::vector<std::uint32_t> epochsOf(const RunBuilder &run) {
  const Timeline timeline = unroll(run.profile, 10000);
  const ClockedRun clocked = runLogicalClocks(timeline, findSendLoops(run.profile, timeline, {}));
  EXPECT_TRUE(clocked.stuck.empty());
  EXPECT_EQ(clocked.phases.size(), 2u);
  std::vector<std::uint32_t> epochs;
  for (const Phase &phase : clocked.phases)
    epochs.push_back(phase.epoch);
  return epochs;
}

CollectiveFlow flowIn(const RunBuilder &run) {
  const CommunicationGraph graph =
      buildCommunicationGraph(run.profile, TraceLocation("run.trace", run.profile));
  return graph.collectives.at(0).flow;
}

TEST(SparseCalls, SynchronizeNobody) {
  const RunBuilder run = runAround(
      [](RunBuilder &made, int rank) { made.alltoallv(rank, {{(rank + 1) % ranks, 8}}); });
  EXPECT_EQ(epochsOf(run), (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(flowIn(run), CollectiveFlow::None);
}

TEST(SparseCalls, SynchronizeIfAllHaveSomethingForAll) {
  const RunBuilder run =
      runAround([](RunBuilder &made, int rank) { made.denseAlltoallv(rank, 8 * ranks); });
  EXPECT_EQ(epochsOf(run), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(flowIn(run), CollectiveFlow::AllToAll);
}

TEST(SparseCalls, SynchronizeNobodyIfOneRankHasNothing) {
  const RunBuilder run = runAround(
      [](RunBuilder &made, int rank) { made.denseAlltoallv(rank, rank == 2 ? 0 : 8 * ranks); });
  EXPECT_EQ(epochsOf(run), (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(flowIn(run), CollectiveFlow::None);
}

} // namespace
} // namespace sendwright
