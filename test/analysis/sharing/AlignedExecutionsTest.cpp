// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/AlignedExecutions.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

constexpr std::uint64_t none = AlignedExecutions::none;

} // namespace

TEST(AlignedExecutions, ARankThatDoesNotComeToSomeInstancesHasFewer) {
  // Ranks 0 to 2 exchange messages in each instance of the fine level; 0 and 1 also in a coarse
  // one.
  const std::vector<ExecutionTarget> targets{{0, 1, 0}, {0, 2, 0}, {0, 1, 1}, {0, 1, 2}, {0, 2, 2},
                                             {1, 0, 0}, {1, 2, 0}, {1, 0, 1}, {1, 0, 2}, {1, 2, 2},
                                             {2, 0, 0}, {2, 1, 0}, {2, 0, 1}, {2, 1, 1}};
  const auto aligned = alignExecutions({3, 3, 2}, targets, false);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->instances, 3U);
  EXPECT_EQ(aligned->instanceOf,
            (std::vector<std::vector<std::uint64_t>>{{0, 1, 2}, {0, 1, 2}, {0, 2}}));
}

TEST(AlignedExecutions, AnExecutionWithoutMessagesBelongsToNoInstance) {
  const auto aligned = alignExecutions({2, 1}, {{0, 1, 1}, {1, 0, 0}}, false);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->instances, 1U);
  EXPECT_EQ(aligned->instanceOf, (std::vector<std::vector<std::uint64_t>>{{none, 0}, {0}}));
}

TEST(AlignedExecutions, RanksThatSendToEachOtherUnequallyOftenAreNotJoined) {
  const std::vector<ExecutionTarget> targets{{0, 1, 0}, {0, 1, 1}, {1, 0, 0}};
  const auto aligned = alignExecutions({2, 1}, targets, false);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->instances, 3U);
  const auto cut = alignExecutions({2, 1}, targets, true);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->instances, 2U);
}

TEST(AlignedExecutions, TwoExecutionsOfARankAreNotOneInstance) {
  // Rank 2 meets both executions of rank 0 in one of its own.
  EXPECT_FALSE(alignExecutions(
      {2, 1, 1}, {{0, 1, 0}, {0, 2, 1}, {1, 0, 0}, {1, 2, 0}, {2, 0, 0}, {2, 1, 0}}, false));
}

TEST(AlignedExecutions, RanksHaveTheInstancesInOneOrder) {
  // Each pair has an instance; each rank has the instances in another order.
  EXPECT_FALSE(alignExecutions(
      {2, 2, 2}, {{0, 1, 0}, {0, 2, 1}, {1, 2, 0}, {1, 0, 1}, {2, 0, 0}, {2, 1, 1}}, false));
}
