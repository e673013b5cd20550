// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PatternTurns.h"

#include <gtest/gtest.h>

#include <string>

using sendwright::PatternTurns;

namespace {

PatternTurns after(const std::string &patterns) {
  PatternTurns turns;
  for (const char pattern : patterns)
    turns.note(static_cast<std::uint64_t>(pattern));
  return turns;
}

std::string repeated(const std::string &patterns, int times) {
  std::string all;
  while (times-- > 0)
    all += patterns;
  return all;
}

TEST(PatternTurns, OnePatternIsOneTurn) { EXPECT_EQ(after("aaaaaaaa").count(), 1U); }

TEST(PatternTurns, TurnsAreFoundWhenTheyHaveComeThreeTimes) {
  EXPECT_EQ(after("abcabcab").count(), 1U);
  EXPECT_EQ(after("abcabcabc").count(), 3U);
  EXPECT_EQ(after("xyzabcabcabc").count(), 3U);
}

TEST(PatternTurns, TheSmallestNumberThatRepeatsIsTaken) {
  EXPECT_EQ(after(repeated("aab", 3)).count(), 3U);
  EXPECT_EQ(after(repeated("abababac", 3)).count(), 8U);
}

TEST(PatternTurns, OneOtherPatternIsNoTurn) {
  EXPECT_EQ(after("aaaaabaaaaaaaabaaaaaa").count(), 1U);
  EXPECT_EQ(after("abacadaeaf").count(), 1U);
}

TEST(PatternTurns, SoManyTurnsAndNoMore) {
  EXPECT_EQ(after(repeated("abcdefghijklmnop", 3)).count(), 16U);
  EXPECT_EQ(after(repeated("abcdefghijklmnopq", 5)).count(), 1U);
}

TEST(PatternTurns, TurnsAreDividedFurther) {
  EXPECT_EQ(after(repeated("ab", 3) + repeated("abac", 4)).count(), 4U);
  EXPECT_EQ(after(repeated("ab", 3) + repeated("abc", 8)).count(), 6U); // and not 3
}

TEST(PatternTurns, RanksThatSeeDifferentTurnsAgreeOnAll) {
  PatternTurns turns = after(repeated("ab", 4));
  EXPECT_EQ(turns.with(3), 6U);
  turns.adopt(3);
  EXPECT_EQ(turns.count(), 6U);
  EXPECT_EQ(turns.with(2), 6U);
  EXPECT_EQ(turns.with(5), 0U); // 30
  EXPECT_EQ(turns.with(0), 0U);
  EXPECT_EQ(turns.with(4'000'000'000), 0U);
  turns.adopt(5);
  EXPECT_EQ(turns.count(), 6U);
}

TEST(PatternTurns, ExecutionsAreCountedByTurn) {
  PatternTurns turns = after(repeated("abc", 3) + "ab");
  EXPECT_EQ(turns.executions(), 11U);
  EXPECT_EQ(turns.next(), 2U);
  EXPECT_EQ(turns.executionsOf(0), 4U);
  EXPECT_EQ(turns.executionsOf(1), 4U);
  EXPECT_EQ(turns.executionsOf(2), 3U);
  const PatternTurns none;
  EXPECT_EQ(none.executionsOf(0), 0U);
}

} // namespace
