// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a whole run, from a simulation of its beginning.

#include "analysis/replay/RunSimulation.h"
#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

RunSimulation simulated(const RunBuilder &run, std::uint64_t limit = 1'000'000) {
  return simulateRun(run.profile, unroll(run.profile, limit), defaultMachine());
}

/// `steps` computations of one second in all, between barriers; then rounds of two exchanges.
RunBuilder prepared(int steps, int rounds) {
  RunBuilder run(4);
  const int pre = run.addSite(10), post = run.addSite(20);
  for (int step = 0; step < steps; ++step) {
    for (int rank = 0; rank < 4; ++rank)
      run.compute(rank, 1.0 / steps);
    run.barrier();
  }
  for (int round = 0; round < rounds; ++round) {
    run.phase(first, pre);
    run.phase(second, post);
    run.barrier();
  }
  return run;
}

} // namespace

TEST(WholeRun, OfARunThatIsNotCutItIsTheSimulatedTime) {
  const RunSimulation run = simulated(prepared(3, 5));
  EXPECT_EQ(run.wholeSeconds, run.seconds);
}

TEST(WholeRun, WhatRepeatsCountsAsOftenAsItHappens) {
  const RunBuilder run = prepared(3, 500);
  const RunSimulation whole = simulated(run), part = simulated(run, 2000);
  EXPECT_LT(part.seconds, 0.97 * whole.seconds);
  EXPECT_NEAR(part.wholeSeconds, whole.seconds, 0.002 * whole.seconds);
}

TEST(WholeRun, AnEventThatWasCutOffCostsWhatOthersAtItsPlaceCost) {
  // Each iteration has a tag of its own, so that no two of its calls are equal.
  RunBuilder run(2);
  const int site = run.addSite(10);
  for (int iteration = 0; iteration < 300; ++iteration) {
    run.sendReceive(0, 1, 1, iteration, 8, site);
    run.sendReceive(1, 0, 0, iteration, 8, site);
  }
  const RunSimulation whole = simulated(run), part = simulated(run, 100);
  EXPECT_LT(part.seconds, 0.2 * whole.seconds);
  EXPECT_NEAR(part.wholeSeconds, whole.seconds, 0.01 * whole.seconds);
}

TEST(WholeRun, ALongPreparationDoesNotHideTheGainOfALoop) {
  const RunBuilder run = prepared(100, 30'000);
  PlannerOptions options = defaults();
  options.replay = RunReplay::Choose;
  options.events = 2000;
  const ProfilePlan plan = planOf(run, options);
  EXPECT_TRUE(plan.run->cut);
  EXPECT_LE(plan.run->events, 2000U);
  EXPECT_EQ(findSite(plan, 10)->decision, Decision::Rewrite) << findSite(plan, 10)->reason;
  EXPECT_GT(plan.run->asWritten, 2);
}
