// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/FrequentRedistributions.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

RecordedRedistribution moved(unsigned line, std::vector<std::int64_t> before,
                             std::vector<std::int64_t> after, std::uint64_t count) {
  return {{"app.c", "balance", line, 0, line, ""}, std::move(before), std::move(after), count};
}

TEST(FrequentRedistributions, AreCountedOverAllRanksAndTheMostFrequentKept) {
  Profile profile;
  profile.ranks.resize(2);
  profile.ranks[0].redistributions = {moved(9, {1, 1}, {0, 2}, 3), moved(4, {1, 1}, {2, 0}, 1)};
  profile.ranks[1].redistributions = {moved(4, {1, 1}, {2, 0}, 1), moved(4, {5, 1}, {6, 0}, 9)};
  for (int other = 0; other < 6; ++other)
    profile.ranks[1].redistributions.push_back(moved(4, {other, 1}, {1, other}, 1));
  const std::vector<RecordedRedistribution> frequent = frequentRedistributions(profile);
  ASSERT_EQ(frequent.size(), mostPairsOfDirective + 1);
  EXPECT_EQ(frequent[0].before, (std::vector<std::int64_t>{5, 1}));
  EXPECT_EQ(frequent[1].after, (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(frequent[1].count, 2u);
  EXPECT_EQ(frequent[2].before, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(frequent.back().site.line, 9u);
}

TEST(FrequentRedistributions, AreNoneInAProgramWithoutDirectives) {
  Profile profile;
  profile.ranks.resize(3);
  EXPECT_TRUE(frequentRedistributions(profile).empty());
}

} // namespace
