// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of each condition that keeps a loop from becoming a collective operation.

#include "analysis/collectives/CollectiveRefusal.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

TEST(CollectiveRefusal, EachObstacleHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastCollectiveObstacle); ++number) {
    const std::string sentence = textOf(
        {.obstacle = static_cast<CollectiveObstacle>(number), .problem = "the blocks overlap"});
    EXPECT_NE(sentence, "") << number;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(CollectiveRefusal, ASentenceNamesItsFacts) {
  EXPECT_EQ(
      textOf({.obstacle = CollectiveObstacle::RefusedBySource, .problem = "the blocks overlap"}),
      "the blocks overlap");
  EXPECT_EQ(textOf({.obstacle = CollectiveObstacle::CallsOfAnotherLoop, .place = "app.c:40"}),
            "its calls are the calls of the loop at app.c:40, too");
  EXPECT_EQ(textOf({.obstacle = CollectiveObstacle::MessageToItself, .rank = 2, .otherRank = 2}),
            "in one execution rank 2 sends to itself, rank 2");
  EXPECT_EQ(textOf({.obstacle = CollectiveObstacle::MessageRepeated, .rank = 2, .otherRank = 1}),
            "in one execution rank 2 sends more than one message to rank 1");
  CollectivePrediction prediction;
  prediction.writtenSeconds = 4e-3;
  prediction.seconds = 3e-3;
  EXPECT_EQ(textOf({.obstacle = CollectiveObstacle::AnotherGainsMore,
                    .prediction = prediction,
                    .limit = 2e-3}),
            "what is done instead gains 2 ms, and this 1 ms (3 ms instead of 4 ms)");
}
