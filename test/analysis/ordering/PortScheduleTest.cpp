// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// List schedules of large messages: complete, and closer to the bound than rounds if sizes differ.

#include "analysis/ordering/PortSchedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace sendwright;

namespace {

constexpr PortCosts costs{1e-5, 1e-6, 1e-8};

SizedLists randomMessages(std::mt19937 &random, std::size_t ranks, int largest) {
  SizedLists messages(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t count = random() % ranks; count > 0; --count)
      messages[rank].push_back(
          {static_cast<int>(random() % ranks), 10000 * (1 + random() % largest)});
  return messages;
}

SizedLists reordered(const SizedLists &messages,
                     const std::vector<std::vector<std::uint32_t>> &order) {
  SizedLists result(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (std::uint32_t index : order[rank])
      result[rank].push_back(messages[rank][index]);
  return result;
}

double ratio(const SizedLists &messages, const std::vector<std::vector<std::uint32_t>> &order) {
  const std::vector<double> none(messages.size());
  return portCompletion(reordered(messages, order), none, costs) /
         std::max(portLowerBound(messages, none, costs), 1e-12);
}

} // namespace

TEST(PortSchedule, EveryMessageOnceAndPairsInOrder) {
  std::mt19937 random(3);
  for (int instance = 0; instance < 300; ++instance) {
    const SizedLists messages = randomMessages(random, 1 + random() % 12, 5);
    std::vector<double> tail(messages.size());
    for (double &seconds : tail)
      seconds = 1e-4 * static_cast<double>(random() % 10);
    const auto order = schedulePorts(messages, tail, costs);
    ASSERT_EQ(order.size(), messages.size());
    for (std::size_t rank = 0; rank < messages.size(); ++rank) {
      ASSERT_EQ(order[rank].size(), messages[rank].size());
      std::vector<char> seen(messages[rank].size());
      std::map<int, std::uint32_t> last;
      for (std::uint32_t index : order[rank]) {
        ASSERT_LT(index, seen.size());
        ASSERT_FALSE(seen[index]);
        seen[index] = true;
        auto [entry, first] = last.try_emplace(messages[rank][index].destination, index);
        ASSERT_TRUE(first || entry->second < index);
        entry->second = index;
      }
    }
  }
}

TEST(PortSchedule, IsCloserToTheBoundThanRoundsWhereSizesDiffer) {
  std::mt19937 random(4);
  double rounds = 0, schedule = 0;
  constexpr int instances = 200;
  for (int instance = 0; instance < instances; ++instance) {
    const SizedLists messages = randomMessages(random, 12, 10);
    const std::vector<double> none(messages.size());
    rounds += ratio(messages, staggerMessages(messages, none).order);
    schedule += ratio(messages, schedulePorts(messages, none, costs));
  }
  EXPECT_LT(schedule, rounds);
  EXPECT_LT(schedule / instances, 1.2);
}

TEST(PortSchedule, TheReceiverWithMostToDoAfterwardsComesFirst) {
  const SizedLists messages = {{{1, 1000}, {2, 1000}, {3, 1000}}, {}, {}, {}};
  EXPECT_EQ(schedulePorts(messages, {0, 1e-3, 3e-3, 2e-3}, costs)[0],
            (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(PortSchedule, NothingToSend) { EXPECT_TRUE(schedulePorts({}, {}, costs).empty()); }
