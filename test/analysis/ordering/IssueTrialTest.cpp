// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large messages leave is decided by the executions that were measured.

#include "analysis/ordering/IssueTrial.h"

#include <gtest/gtest.h>

#include <map>

using namespace sendwright;

namespace {

struct Seconds {
  double asUsual, leadingParts, paced;
};

/// Executions take so long, the first ten times as long; `lost` of those that are not as usual take
/// 0.2 seconds longer. Returns the decision.
WayOfIssue decision(const Seconds &seconds, int lost = 0) {
  IssueTrial trial;
  EXPECT_EQ(trial.way(), WayOfIssue::AsUsual);
  std::map<WayOfIssue, int> tried;
  int executions = 0;
  for (; !trial.isDecided(); ++executions) {
    const WayOfIssue way = trial.way();
    ++tried[way];
    const double time = way == WayOfIssue::AsUsual        ? seconds.asUsual
                        : way == WayOfIssue::LeadingParts ? seconds.leadingParts
                                                          : seconds.paced;
    trial.add((time + (way != WayOfIssue::AsUsual && lost-- > 0 ? 0.2 : 0)) *
              (executions == 0 ? 10 : 1));
  }
  EXPECT_EQ(tried[WayOfIssue::AsUsual], 4);
  EXPECT_GE(tried[WayOfIssue::LeadingParts], 3);
  EXPECT_LE(executions, 13); // a short run must not pay for it for long
  return trial.way();
}

} // namespace

TEST(IssueTrial, TakesWhatIsFastest) {
  EXPECT_EQ(decision({0.100, 0.080, 0.070}), WayOfIssue::Paced);
  EXPECT_EQ(decision({0.100, 0.080, 0.090}), WayOfIssue::LeadingParts);
  EXPECT_EQ(decision({0.080, 0.100, 0.070}), WayOfIssue::AsUsual);
}

TEST(IssueTrial, LeavesWhatMakesNoDifference) {
  EXPECT_EQ(decision({0.100, 0.099, 0.050}), WayOfIssue::AsUsual);
  EXPECT_EQ(decision({0.100, 0.080, 0.079}), WayOfIssue::LeadingParts);
}

TEST(IssueTrial, IsNotMisledByOneLostMessage) {
  EXPECT_EQ(decision({0.100, 0.080, 0.070}, 1), WayOfIssue::Paced);
  EXPECT_EQ(decision({0.100, 0.080, 0.070}, 2), WayOfIssue::AsUsual);
}

TEST(IssueTrial, KnowsTheBestRate) {
  IssueTrial trial;
  trial.add(0.01); // also makes connections
  EXPECT_GT(trial.leastSecondsPerByte(), 1e9);
  trial.add(0.08);
  trial.add(0.07);
  trial.add(0.09);
  EXPECT_EQ(trial.leastSecondsPerByte(), 0.07);
}
