// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the critical path of a simulated run says of each place. Runs are text traces.

#include "analysis/replay/RunSimulation.h"
#include "analysis/trace/TextTrace.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

using namespace sendwright;

namespace {

/// L 10, o_send 2, o_recv 3, g 4, G 1.
RunSimulation simulatedPath(const std::string &text) {
  Machine machine;
  machine.between = {10, 2, 3, 4, 1};
  const Profile profile = parseTextTrace("sendwright-trace 1\n" + text, "run.trace");
  return simulateRun(profile, unroll(profile, 1'000'000), machine);
}

using Times = std::map<std::string, double>; // by place, where they are not 0

Times timesOf(const RunSimulation &run, double SimulatedPlace::*time) {
  Times times;
  for (const SimulatedPlace &place : run.places)
    if (place.*time > 0)
      times[place.place] += place.*time;
  return times;
}

} // namespace

TEST(CriticalPath, EachCallOfAStayHasItsOwnOverheadAndTheComputationBeforeIt) {
  const RunSimulation run = simulatedPath("ranks 2\n"
                                          "rank 0\ncompute 5\nsend 1 site=a.c:1\ncompute 7\n"
                                          "send 1 site=a.c:2\nsend 1 site=a.c:3\n"
                                          "rank 1\nrecv 0 site=b.c:1\nrecv 0 site=b.c:2\n"
                                          "recv 0 site=b.c:3\ncompute 9\n");
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathOverhead),
            (Times{{"a.c:1", 2}, {"a.c:2", 2}, {"b.c:3", 3}}));
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathComputation),
            (Times{{"", 9}, {"a.c:1", 5}, {"a.c:2", 7}}));
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathNetwork).size(), 1U);
  EXPECT_EQ(run.path.size(), 2U);
}

TEST(CriticalPath, ReceivesThatDoNotWaitHaveTheirOverhead) {
  // Rank 1 comes late to its first two messages, and waits for nobody.
  const RunSimulation run = simulatedPath("ranks 2\n"
                                          "rank 0\nsend 1\nsend 1\n"
                                          "rank 1\ncompute 100\nrecv 0 site=b.c:1\n"
                                          "recv 0 site=b.c:2\n");
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathOverhead), (Times{{"b.c:1", 3}, {"b.c:2", 3}}));
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathComputation), (Times{{"b.c:1", 100}}));
}

TEST(CriticalPath, AnExchangeBeforeACollectiveKeepsItsTime) {
  // Rank 0 sends to all others and never waits before the collective, for which all others wait.
  std::string text = "ranks 4\nrank 0\n";
  for (int other = 1; other < 4; ++other)
    text += "send " + std::to_string(other) + " site=halo.c:1\n";
  text += "compute 50\ncollective allreduce bytes=8\n";
  for (int rank = 1; rank < 4; ++rank)
    text +=
        "rank " + std::to_string(rank) + "\nrecv 0 site=halo.c:2\ncollective allreduce bytes=8\n";
  const RunSimulation run = simulatedPath(text);
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathOverhead)["halo.c:1"], 6);
  EXPECT_EQ(timesOf(run, &SimulatedPlace::pathComputation), (Times{{"", 50}}));
}
