// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns follow from the site and the execution's number, are balanced, independent between sites,
// and only settled executions are measured.

#include "analysis/verification/ExecutionTurns.h"

#include <gtest/gtest.h>

using sendwright::ExecutionTurns;

namespace {

std::vector<bool> kinds(std::uint64_t site, std::size_t executions) {
  ExecutionTurns turns(site);
  std::vector<bool> result;
  for (std::size_t number = 0; number < executions; ++number)
    result.push_back(turns.begin(double(number)));
  return result;
}

TEST(ExecutionTurns, AreTheSameAtEveryRank) { EXPECT_EQ(kinds(3, 500), kinds(3, 500)); }

TEST(ExecutionTurns, HaveBothKindsInEachPair) {
  const std::vector<bool> all = kinds(5, 800);
  for (std::size_t pair = 0; pair < all.size() / 8; ++pair)
    for (std::size_t place = 0; place < 8; ++place)
      EXPECT_EQ(all[pair * 8 + place], all[pair * 8] == (place < 4)) << pair;
}

TEST(ExecutionTurns, BeginWithEitherKindAboutEquallyOften) {
  const std::vector<bool> all = kinds(1, 8 * 1000);
  int plannedFirst = 0;
  for (std::size_t pair = 0; pair < 1000; ++pair)
    plannedFirst += all[pair * 8];
  EXPECT_NEAR(plannedFirst, 500, 60);
}

TEST(ExecutionTurns, OfTwoSitesAreIndependent) {
  const std::vector<bool> one = kinds(1, 8 * 1000), other = kinds(2, 8 * 1000);
  int same = 0;
  for (std::size_t execution = 0; execution < one.size(); ++execution)
    same += one[execution] == other[execution];
  EXPECT_NEAR(same, 4000, 500);
}

/// Planned executions take 1 s, others 2 s; the first of each turn takes 100 s more, and so do the
/// executions of the first pair.
TEST(ExecutionTurns, MeasureSettledExecutionsOfTheirOwnKind) {
  ExecutionTurns turns(7);
  double now = 0;
  for (int execution = 0; execution < 8 * 50 + 1; ++execution) {
    const bool planned = turns.begin(now);
    now += (planned ? 1 : 2) + (execution % 4 == 0 || execution < 8 ? 100 : 0);
  }
  ASSERT_EQ(turns.turns().size(), 2u * 49);
  for (std::size_t turn = 0; turn < turns.turns().size(); ++turn)
    EXPECT_DOUBLE_EQ(turns.turns()[turn], ExecutionTurns::isMeasuredAsPlanned(7, turn) ? 1 : 2);
}

TEST(ExecutionTurns, LeaveOutATurnThatIsNotComplete) {
  ExecutionTurns turns(7);
  for (int execution = 0; execution < 8 + 4; ++execution)
    turns.begin(execution);
  EXPECT_TRUE(turns.turns().empty());
  turns.begin(12);
  EXPECT_EQ(turns.turns().size(), 1u);
}

} // namespace
