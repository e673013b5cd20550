// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExecutionTimes.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

TEST(ExecutionTimes, TooFewTellNothing) {
  ExecutionTimes times;
  times.add(1, false);
  times.add(1, false);
  EXPECT_EQ(times.typical(), 0);
}

TEST(ExecutionTimes, AFewUnusualExecutionsChangeNothing) {
  ExecutionTimes times;
  for (const double seconds : {2.0, 2.0, 90.0, 2.0, 2.0})
    times.add(seconds, false);
  EXPECT_EQ(times.typical(), 2);
}

TEST(ExecutionTimes, DisturbedOnesCountOnlyIfThereAreFewOthers) {
  ExecutionTimes times;
  for (int count = 0; count < 5; ++count)
    times.add(9, true);
  EXPECT_EQ(times.typical(), 9);
  for (int count = 0; count < 3; ++count)
    times.add(4, false);
  EXPECT_EQ(times.typical(), 4);
  EXPECT_EQ(times.undisturbed(), 3u);
}

TEST(ExecutionTimes, TheLeastIsThatOfTheExecutionsThatCount) {
  ExecutionTimes times;
  times.add(2, true);
  times.add(20, false);
  EXPECT_EQ(times.least(), 0) << "too few";
  times.add(18, false);
  times.add(5, false);
  EXPECT_EQ(times.least(), 5) << "the median is 18";
}

TEST(ExecutionTimes, OnlyTheLastOnesAreKept) {
  ExecutionTimes times;
  for (int count = 0; count < 100; ++count)
    times.add(count < 50 ? 9 : 4, false);
  EXPECT_EQ(times.typical(), 4);
  EXPECT_LE(times.count(), 16u);
}

} // namespace
