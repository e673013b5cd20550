// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From which execution on a run that learns may start to share messages.

#include "analysis/sharing/StartOfSharing.h"
#include "analysis/sharing/ChosenRoutes.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

Machine machineWith(double seconds) {
  Machine machine = defaultMachine();
  machine.between.L = machine.between.o_send = machine.between.o_recv = seconds;
  return machine;
}

TEST(WorthStart, ComesWhenExecutionsSoFarWouldHaveGainedWhatTheStartTakes) {
  // 64 ranks: two messages for each, two for each of 9 children, and six rounds of a meeting.
  const double start = (2 * 64 + 2 * 9 + 6 * 3) * 1e-6;
  EXPECT_EQ(executionsWorthStart({1.01 * start}, 64, machineWith(1e-6)), 1u);
  EXPECT_EQ(executionsWorthStart({start / 10.5}, 64, machineWith(1e-6)), 11u);
}

TEST(WorthStart, ComesEarlierBeforeACollectiveCall) {
  // A message for each child, and two meetings.
  const double start = (9 + 2 * 6 * 3) * 1e-6;
  EXPECT_EQ(executionsWorthStart({start / 10.5}, 64, machineWith(1e-6), true), 11u);
}

TEST(WorthStart, ComesLaterWithMoreRanksAndSmallerGains) {
  const Machine machine = machineWith(1e-6);
  EXPECT_LT(executionsWorthStart({1e-5}, 16, machine), executionsWorthStart({1e-5}, 64, machine));
  EXPECT_LT(executionsWorthStart({1e-5}, 64, machine), executionsWorthStart({1e-6}, 64, machine));
}

TEST(WorthStart, ComesLaterWhereASmallPartIsGained) {
  const Machine machine = machineWith(1e-6);
  const std::uint64_t soon = executionsWorthStart({1e-5}, 64, machine);
  EXPECT_EQ(executionsWorthStart({1e-5, 2e-5}, 64, machine), soon);
  EXPECT_NEAR(static_cast<double>(executionsWorthStart({1e-5, 1e-4}, 64, machine)),
              3.5 * static_cast<double>(soon), 4);
  EXPECT_LE(executionsWorthStart({1e-5, 1}, 64, machine), 8 * soon);
}

TEST(WorthStart, HoldsForGainsThatAreNearlyNothing) {
  EXPECT_GT(executionsWorthStart({1e-300}, 1 << 20, machineWith(1)), 1u << 20);
}

} // namespace
} // namespace sendwright
