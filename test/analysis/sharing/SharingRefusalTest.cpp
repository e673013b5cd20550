// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of each condition that keeps messages from being shared.

#include "analysis/sharing/SharingRefusal.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

TEST(SharingRefusal, EachObstacleHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastSharingObstacle); ++number) {
    const std::string sentence = textOf({.obstacle = static_cast<SharingObstacle>(number)});
    EXPECT_NE(sentence, "") << number;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(SharingRefusal, ASentenceNamesItsFacts) {
  EXPECT_EQ(textOf({.obstacle = SharingObstacle::UnequalExecutions,
                    .rank = 3,
                    .otherRank = 1,
                    .count = 4,
                    .otherCount = 10}),
            "rank 3 sends in 4 of its executions, and rank 1 in 10");
  EXPECT_EQ(textOf({.obstacle = SharingObstacle::OtherReceiveFunction,
                    .function = MpiFunctionId::Sendrecv,
                    .place = "app.c:40"}),
            "its messages are received by MPI_Sendrecv at app.c:40");
  EXPECT_EQ(
      textOf({.obstacle = SharingObstacle::SeveralWithOneTag, .rank = 3, .otherRank = 1, .tag = 7}),
      "rank 3 sends several messages with one tag (7) to rank 1");
  SharingPrediction prediction;
  prediction.directSeconds = 4e-3;
  prediction.seconds = 3e-3;
  EXPECT_EQ(
      textOf({.obstacle = SharingObstacle::BelowThreshold, .prediction = prediction, .limit = 30}),
      "it gains 25 %, below the threshold of 30 % (3 ms instead of 4 ms)");
  prediction.shared.volumeFactor = 1.5;
  EXPECT_EQ(
      textOf({.obstacle = SharingObstacle::FullerLinks, .prediction = prediction, .limit = 2e-3}),
      "its routes carry 150 % of the bytes, and the further ones take 2 ms of a rank's link, more "
      "than they gain (1 ms)");
}

TEST(SharingRefusal, APlaceThatIsUnknownIsLeftOut) {
  EXPECT_EQ(textOf({.obstacle = SharingObstacle::ReceiveOfAnyTag}),
            "a receive of any tag takes its messages");
}
