// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thesis's own examples, and small cases for what it says about partners.

#include "analysis/sharing/search/SenderSharing.h"
#include "analysis/sharing/routes/RouteSimulation.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// Rank 0 sends to `first` ranks, rank 1 to `second` ranks; `common` of these are the same.
ExchangePattern twoSenders(std::int32_t first, std::int32_t second, std::int32_t common) {
  ExchangePattern pattern{2 + first + second - common, {}};
  for (std::int32_t index = 0; index < first; ++index)
    pattern.messages.push_back({0, 2 + index, 1});
  for (std::int32_t index = first - common; index < first - common + second; ++index)
    pattern.messages.push_back({1, 2 + index, 1});
  return pattern;
}

void expectCounters(const ExchangePattern &pattern, std::int64_t first, std::int64_t second) {
  const SenderSharing phase = shareCommonDestinations(pattern);
  EXPECT_EQ(phase.counters[0], first);
  EXPECT_EQ(phase.counters[1], second);
  EXPECT_EQ(simulateRoutes(pattern, routesAlong(pattern, phase.paths)), "");
}

TEST(SenderSharing, TheThesissExamplesOfTwoRanks) {
  expectCounters(twoSenders(6, 6, 6), 3, 3);       // Figures 4.1 and 4.2
  expectCounters(twoSenders(100, 80, 10), 90, 80); // equal shares are impossible
  expectCounters(twoSenders(100, 80, 40), 70, 70); // equal shares are possible
}

TEST(SenderSharing, HandingOverIsNotCountedButIsADestination) {
  const ExchangePattern pattern = twoSenders(6, 6, 6);
  const SenderSharing phase = shareCommonDestinations(pattern);
  EXPECT_EQ(distinctDestinations(pattern, phase.paths)[0], 4);
  EXPECT_EQ(phase.paths[0], (RankPath{0, 1, 2})) << "the first ones go to the partner";
  EXPECT_EQ(phase.paths[5], (RankPath{0, 7}));
}

TEST(SenderSharing, ASecondPartnerTakesWhatTheFirstOneLeft) {
  // 0 and 1 share 3 to 8; then 2, which has as many, finds 0 and gives to both.
  ExchangePattern pattern{9, {}};
  for (std::int32_t source = 0; source < 3; ++source)
    for (std::int32_t destination = 3; destination < 9; ++destination)
      pattern.messages.push_back({source, destination, 1});
  const SenderSharing phase = shareCommonDestinations(pattern);
  EXPECT_LT(phase.counters[2], 6);
  EXPECT_EQ(simulateRoutes(pattern, routesAlong(pattern, phase.paths)), "");
  const auto sentBy = [&](std::int32_t rank) {
    std::int64_t messages = 0;
    for (const RankPath &path : phase.paths)
      messages += path[path.size() - 2] == rank;
    return messages;
  };
  EXPECT_EQ(sentBy(0) + sentBy(1) + sentBy(2), 18);
}

TEST(SenderSharing, PhaseTwoGivesTheIdleHalfOfTheDifference) {
  // Nothing in common: Phase I leaves all eight at 0; Phase II gives four to rank 1.
  ExchangePattern pattern{10, {}};
  for (std::int32_t destination = 2; destination < 10; ++destination)
    pattern.messages.push_back({0, destination, 1});
  const SenderSharing one = shareCommonDestinations(pattern);
  EXPECT_EQ(one.counters[0], 8);
  const SenderSharing two = shareWithLeastLoaded(pattern, one);
  EXPECT_LE(two.counters[0], 4);
  EXPECT_EQ(two.paths[0], (RankPath{0, 1, 2}));
  EXPECT_EQ(simulateRoutes(pattern, routesAlong(pattern, two.paths)), "");
}

TEST(SenderSharing, PathsAreCombinedInFewStages) {
  // Direct messages join messages that go the same way anyway.
  const ExchangePattern pattern{4, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}};
  const RouteTable table = routesAlong(pattern, {{0, 1}, {0, 1, 2}, {1, 2}});
  EXPECT_EQ(table.stages, 2);
  EXPECT_EQ(table.routes[0], (std::vector<Hop>{{0, 1}}));
  EXPECT_EQ(table.routes[1], (std::vector<Hop>{{0, 1}, {1, 2}}));
  EXPECT_EQ(table.routes[2], (std::vector<Hop>{{1, 2}}));
}

} // namespace
