// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators of different ranks are the same.

#include "analysis/trace/CommunicatorNumbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace sendwright {
namespace {

Profile profileWithCommunicators(std::vector<std::vector<Communicator>> ranks) {
  Profile profile;
  for (std::vector<Communicator> &communicators : ranks)
    profile.ranks.emplace_back().communicators = std::move(communicators);
  return profile;
}

const Communicator numberedWorld{{0, 1, 2, 3}, 0, false};
const Communicator numberedDuplicate{{0, 1, 2, 3}, 1, false};
const Communicator lowGroup{{0, 1}, 0, false};
const Communicator highGroup{{2, 3}, 0, false};
const Communicator lowSide{{0, 1}, 0, true};
const Communicator highSide{{2, 3}, 0, true};

constexpr std::uint32_t noNumber = CommunicatorNumbers::none;

TEST(CommunicatorNumbers, OneCommunicatorHasOneNumberWhereverARankHasIt) {
  const CommunicatorNumbers numbers(
      profileWithCommunicators({{numberedWorld, lowGroup, numberedDuplicate},
                                {numberedWorld, numberedDuplicate, lowGroup}}));
  EXPECT_EQ(numbers.of(0, 0), numbers.of(1, 0));
  EXPECT_EQ(numbers.of(0, 1), numbers.of(1, 2));
  EXPECT_EQ(numbers.of(0, 2), numbers.of(1, 1));
  EXPECT_EQ(numbers.size(), 3U);
}

TEST(CommunicatorNumbers, AscendByRankAndIndexOfTheFirstThatHasIt) {
  const CommunicatorNumbers numbers(profileWithCommunicators(
      {{numberedWorld, lowGroup}, {numberedWorld}, {numberedWorld, highGroup, numberedDuplicate}}));
  EXPECT_EQ(numbers.of(0, 1), 1U);
  EXPECT_EQ(numbers.of(2, 1), 2U);
  EXPECT_EQ(numbers.of(2, 2), 3U);
  EXPECT_EQ(numbers[2], highGroup);
}

TEST(CommunicatorNumbers, ADuplicateIsAnotherOne) {
  const CommunicatorNumbers numbers(profileWithCommunicators({{numberedWorld, numberedDuplicate}}));
  EXPECT_NE(numbers.of(0, 0), numbers.of(0, 1));
}

TEST(CommunicatorNumbers, TheOrderOfMembersTellsCommunicatorsApart) {
  const CommunicatorNumbers numbers(
      profileWithCommunicators({{numberedWorld, {{3, 2, 1, 0}, 0, false}}}));
  EXPECT_NE(numbers.of(0, 0), numbers.of(0, 1));
}

TEST(CommunicatorNumbers, IntercommunicatorsShareOneNumberThatIsNoGroups) {
  const CommunicatorNumbers numbers(profileWithCommunicators(
      {{numberedWorld, lowSide, lowGroup}, {numberedWorld, highSide, highGroup}}));
  EXPECT_EQ(numbers.of(0, 1), numbers.of(1, 1));
  EXPECT_NE(numbers.of(0, 1), numbers.of(0, 2));
  EXPECT_TRUE(numbers[numbers.of(0, 1)].intercommunicator);
  EXPECT_EQ(numbers.ofGroup(0, 1), noNumber);
  EXPECT_EQ(numbers.ofGroup(0, 2), numbers.of(0, 2));
}

TEST(CommunicatorNumbers, TheSidesOfAnIntercommunicatorCanBeToldApart) {
  const CommunicatorNumbers numbers(profileWithCommunicators({{numberedWorld, lowSide, lowGroup},
                                                              {numberedWorld, lowSide},
                                                              {numberedWorld, highSide}}),
                                    IntercommunicatorNumbers::BySide);
  EXPECT_EQ(numbers.of(0, 1), numbers.of(1, 1));
  EXPECT_NE(numbers.of(0, 1), numbers.of(2, 1));
  EXPECT_NE(numbers.of(0, 1), numbers.of(0, 2));
}

TEST(CommunicatorNumbers, WhatARankDoesNotHaveIsNone) {
  const CommunicatorNumbers numbers(profileWithCommunicators({{numberedWorld}, {}}));
  EXPECT_EQ(numbers.of(0, 1), noNumber);
  EXPECT_EQ(numbers.of(0, -1), noNumber);
  EXPECT_EQ(numbers.ofGroup(0, 1), noNumber);
  EXPECT_EQ(numbers.of(1, 0), noNumber);
}

} // namespace
} // namespace sendwright
