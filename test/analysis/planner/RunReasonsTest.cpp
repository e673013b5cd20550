// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of the planner: why a site is left alone, and why a candidate is not taken.

#include "analysis/planner/RunReasons.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

TEST(RunReasons, EachObstacleHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastSiteObstacle); ++number) {
    const SiteRefusal refusal{.obstacle = static_cast<SiteObstacle>(number)};
    EXPECT_TRUE(sentences.insert(textOf(refusal)).second) << textOf(refusal);
    EXPECT_NE(leaveReasonOf(refusal), LeaveReason::None) << number;
  }
  for (int number = 0; number <= static_cast<int>(lastCandidateObstacle); ++number) {
    const CandidateRefusal refusal{static_cast<CandidateObstacle>(number)};
    EXPECT_TRUE(sentences.insert(textOf(refusal)).second) << textOf(refusal);
  }
  EXPECT_FALSE(sentences.contains(""));
}

TEST(RunReasons, ASentenceNamesItsFacts) {
  EXPECT_EQ(textOf(SiteRefusal{.obstacle = SiteObstacle::MeasuredLoss,
                               .measured = {120, 0.01, 0.0125, -25, -26, -24}}),
            "measured to be slower than as written: 10 ms as written, 12.5 ms as planned: gain "
            "-25.0 % (-26.0 to -24.0), from 120 pairs");
  EXPECT_EQ(textOf(CandidateRefusal{CandidateObstacle::AnotherGainsMore, "the order"}),
            "the order is predicted to gain more");
}
