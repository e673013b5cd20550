// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of each condition that leaves irregular collective calls to MPI.

#include "analysis/irregular/IrregularRefusal.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

TEST(IrregularRefusal, EachObstacleHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastIrregularObstacle); ++number) {
    const std::string sentence = textOf({.obstacle = static_cast<IrregularObstacle>(number)});
    EXPECT_NE(sentence, "") << number;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(IrregularRefusal, ASentenceNamesItsFacts) {
  EXPECT_EQ(textOf({.obstacle = IrregularObstacle::UnknownBlocks, .count = 3, .otherCount = 4}),
            "in 3 of 4 calls some rank has data for more than half of the others, or its blocks "
            "change too often to be recorded");
  EXPECT_EQ(textOf({.obstacle = IrregularObstacle::UnknownBlocks,
                    .function = MpiFunctionId::Neighbor_alltoallv,
                    .count = 3,
                    .otherCount = 4}),
            "in 3 of 4 calls some rank's blocks change too often to be recorded, or MPI alone "
            "knows which goes where");
}
