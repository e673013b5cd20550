// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PatternsByPartners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sendwright {
namespace {

/// A rank that has executed each of its patterns so often since the last of so many calls.
PatternHistory executed(std::vector<std::uint64_t> counts, std::uint64_t calls = 0) {
  return {calls, {}, 0, std::move(counts)};
}

std::vector<std::vector<std::uint32_t>> groups(const CommonPatterns &found) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const CommonPattern &one : found.patterns)
    all.push_back(one.ofRanks);
  return all;
}

using Groups = std::vector<std::vector<std::uint32_t>>;

TEST(PatternsByPartners, LevelsThatRanksLeaveAreToldApartByTheirPartners) {
  // Four ranks on the fine level, of which two, 0 and 2, are on the coarse one.
  const std::vector<Destinations> sent{{{1, 3}, {2}}, {{0, 2}}, {{0}, {1, 3}}, {{0, 2}}};
  const CommonPatterns found = findPatternsByPartners(
      {executed({40, 31}, 3), executed({40}, 3), executed({30, 41}, 3), executed({41}, 3)}, sent);
  EXPECT_TRUE(found.byPartners);
  EXPECT_EQ(found.from, (ExecutionMoment{3, 0}));
  EXPECT_EQ(found.executions, 71U);
  EXPECT_EQ(groups(found), (Groups{{1, 1, 2, 1}, {2, 0, 1, 0}}));
  EXPECT_EQ(found.patterns[0].executions, 40U);
}

TEST(PatternsByPartners, WhatIsExecutedUnequallyOftenDoesNotBelongTogether) {
  const std::vector<Destinations> sent{{{1, 2}}, {{0, 2}}, {{0, 1}}};
  EXPECT_EQ(groups(findPatternsByPartners({executed({40}), executed({41}), executed({80})}, sent)),
            (Groups{{1, 1, 0}}));
}

TEST(PatternsByPartners, ARankOfWhichTwoPatternsFitTakesPartInNeither) {
  const std::vector<Destinations> sent{{{1, 2}}, {{0, 2}}, {{0, 1}, {0, 1, 3}}, {}};
  EXPECT_EQ(groups(findPatternsByPartners(
                {executed({40}), executed({40}), executed({40, 40}), executed({0})}, sent)),
            (Groups()));
  const std::vector<Destinations> once{{{1}, {1}}, {{0}}};
  EXPECT_EQ(groups(findPatternsByPartners({executed({40, 40}), executed({40})}, once)), Groups());
}

TEST(PatternsByPartners, WhatIsNotAnsweredIsLeftOut) {
  EXPECT_EQ(groups(findPatternsByPartners({executed({40}), executed({40}), executed({})},
                                          {{{1}}, {{2}}, {}})),
            Groups());
}

TEST(PatternsByPartners, RanksMustHaveMadeTheSameCalls) {
  const std::vector<Destinations> sent{{{1}}, {{0}}};
  EXPECT_EQ(groups(findPatternsByPartners({executed({40}, 1), executed({40}, 2)}, sent)), Groups());
  EXPECT_EQ(groups(findPatternsByPartners({executed({40}, 1), executed({}, 1)}, sent)), Groups());
  EXPECT_TRUE(findPatternsByPartners({}, {}).patterns.empty());
}

/// Whatever ranks say: a rank's pattern is in at most one common pattern, and a rank has at most
/// one in each.
TEST(PatternsByPartners, EachPatternIsInOneGroup) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = 2 + random() % 6;
    std::vector<PatternHistory> ranks(size);
    std::vector<Destinations> sent(size);
    for (std::size_t rank = 0; rank < size; ++rank)
      for (unsigned patterns = 1 + random() % 3; patterns > 0; --patterns) {
        ranks[rank].sinceCall.push_back(random() % 2 ? 40 : random() % 50);
        sent[rank].emplace_back();
        for (std::size_t other = 0; other < size; ++other)
          if (other != rank && random() % 2)
            sent[rank].back().push_back(static_cast<std::int32_t>(other));
      }
    const CommonPatterns found = findPatternsByPartners(ranks, sent);
    for (std::size_t rank = 0; rank < size; ++rank) {
      std::vector<std::uint32_t> own;
      for (const CommonPattern &one : found.patterns)
        if (one.ofRanks[rank] != 0) {
          own.push_back(one.ofRanks[rank]);
          EXPECT_LE(one.executions, ranks[rank].sinceCall[own.back() - 1]);
        }
      std::ranges::sort(own);
      EXPECT_TRUE(std::ranges::adjacent_find(own) == own.end());
      EXPECT_TRUE(own.empty() || own.back() <= ranks[rank].sinceCall.size());
    }
  }
}

} // namespace
} // namespace sendwright
