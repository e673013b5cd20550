// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Staggered orders: proper colourings with as many rounds as the busiest rank needs, and their
// worth in the port model.

#include "analysis/ordering/StaggeredOrder.h"
#include "analysis/ordering/PortModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace sendwright;

namespace {

SizedLists everyoneToEveryone(int ranks, std::uint64_t bytes) {
  SizedLists messages(ranks);
  for (int rank = 0; rank < ranks; ++rank)
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        messages[rank].push_back({other, bytes});
  return messages;
}

SizedLists reordered(const SizedLists &messages, const StaggeredOrder &staggered) {
  SizedLists result(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (std::uint32_t index : staggered.order[rank])
      result[rank].push_back(messages[rank][index]);
  return result;
}

/// Every sender and every receiver occurs at most once in a round, and there are no more rounds
/// than the largest degree.
void expectProper(const SizedLists &messages, const StaggeredOrder &staggered) {
  std::vector<std::uint32_t> received(messages.size());
  std::uint32_t degree = 0;
  std::set<std::pair<std::uint32_t, int>> receivers;
  ASSERT_EQ(staggered.round.size(), messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    degree = std::max(degree, static_cast<std::uint32_t>(messages[rank].size()));
    ASSERT_EQ(staggered.order[rank].size(), messages[rank].size());
    std::set<std::uint32_t> rounds;
    for (std::size_t index = 0; index < messages[rank].size(); ++index) {
      const int destination = messages[rank][index].destination;
      const std::uint32_t round = staggered.round[rank][index];
      ++received[destination];
      ASSERT_LT(round, staggered.rounds);
      ASSERT_TRUE(rounds.insert(round).second) << "rank " << rank << " sends twice";
      ASSERT_TRUE(receivers.insert({round, destination}).second) << destination << " gets two";
    }
    for (std::size_t place = 1; place < staggered.order[rank].size(); ++place)
      ASSERT_LT(staggered.round[rank][staggered.order[rank][place - 1]],
                staggered.round[rank][staggered.order[rank][place]]);
  }
  for (std::uint32_t count : received)
    degree = std::max(degree, count);
  EXPECT_EQ(staggered.rounds, degree);
}

SizedLists randomMessages(std::mt19937 &random, int ranks, int most, bool repeat) {
  SizedLists messages(ranks);
  for (std::vector<SizedMessage> &list : messages) {
    std::set<int> seen;
    for (int left = static_cast<int>(random() % (most + 1)); left > 0; --left) {
      int destination = static_cast<int>(random() % ranks);
      if (repeat || seen.insert(destination).second)
        list.push_back({destination, 1000 * (1 + random() % 4)});
    }
  }
  return messages;
}

} // namespace

TEST(StaggeredOrder, RandomPatternsAreColouredWithTheLargestDegree) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const int ranks = 1 + static_cast<int>(random() % 40);
    SizedLists messages = randomMessages(random, ranks, 1 + random() % 60, trial % 2 == 0);
    std::vector<double> key(ranks);
    for (double &k : key)
      k = static_cast<double>(random() % 5);
    expectProper(messages, staggerMessages(messages, key));
    if (HasFatalFailure())
      return;
  }
}

TEST(StaggeredOrder, FewDestinationsAmongManyRanks) {
  // One rank sends to all, so the other receivers have far fewer messages than there are rounds.
  std::mt19937 random(8);
  SizedLists messages = randomMessages(random, 300, 3, true);
  for (int other = 0; other < 300; ++other)
    messages[17].push_back({other, 5000});
  expectProper(messages, staggerMessages(messages, std::vector<double>(300)));
}

TEST(StaggeredOrder, EveryoneToEveryoneIsTheRotation) {
  const SizedLists messages = everyoneToEveryone(8, 100000);
  const StaggeredOrder staggered = staggerMessages(messages, std::vector<double>(8));
  expectProper(messages, staggered);
  for (int rank = 0; rank < 8; ++rank)
    for (int round = 0; round < 7; ++round)
      EXPECT_EQ(messages[rank][staggered.order[rank][round]].destination, (rank + round + 1) % 8);
}

TEST(StaggeredOrder, EveryoneToEveryoneWithUnequalKeysStaysPerfect) {
  const SizedLists messages = everyoneToEveryone(24, 100000);
  std::vector<double> key(24);
  for (int rank = 0; rank < 24; ++rank)
    key[rank] = (rank * 7) % 24;
  const StaggeredOrder staggered = staggerMessages(messages, key);
  expectProper(messages, staggered);
  EXPECT_EQ(staggered.rounds, 23u);
}

TEST(StaggeredOrder, HeavierMessagesGoFirst) {
  SizedLists messages{{{1, 10}, {2, 1000}, {3, 100}}, {}, {}, {}};
  const StaggeredOrder staggered = staggerMessages(messages, std::vector<double>(4));
  EXPECT_EQ(staggered.order[0], (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(StaggeredOrder, AmongEqualSizesTheLargerKeyGoesFirst) {
  SizedLists messages{{{1, 10}, {2, 10}, {3, 10}}, {}, {}, {}};
  const StaggeredOrder staggered = staggerMessages(messages, {0, 1, 3, 2});
  EXPECT_EQ(staggered.order[0], (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(StaggeredOrder, NothingToSend) {
  EXPECT_EQ(staggerMessages({}, {}).rounds, 0u);
  EXPECT_EQ(staggerMessages(SizedLists(3), std::vector<double>(3)).rounds, 0u);
}

TEST(PortModel, OneMessage) {
  EXPECT_DOUBLE_EQ(portCompletion({{{1, 100}}, {}}, {0, 5}, {0.5, 1, 0.01}), 0.5 + 1 + 1 + 5);
}

TEST(PortModel, SendersOfOneReceiverQueue) {
  const SizedLists messages{{{2, 100}}, {{2, 100}}, {}};
  EXPECT_DOUBLE_EQ(portCompletion(messages, {0, 0, 0}, {0, 0, 1}), 200);
  EXPECT_DOUBLE_EQ(portLowerBound(messages, {0, 0, 0}, {0, 0, 1}), 200);
}

TEST(PortModel, WaitingForAReceiverDelaysTheNextMessage) {
  // Ranks 0 and 1 both send to 2 first: rank 1 waits, and its message to 3 is late.
  const SizedLists messages{{{2, 10}}, {{2, 10}, {3, 10}}, {}, {}};
  EXPECT_DOUBLE_EQ(portCompletion(messages, {0, 0, 0, 0}, {0, 0, 1}), 30);
  const SizedLists better{{{2, 10}}, {{3, 10}, {2, 10}}, {}, {}};
  EXPECT_DOUBLE_EQ(portCompletion(better, {0, 0, 0, 0}, {0, 0, 1}), 20);
}

TEST(PortModel, StaggeredReachesTheBoundWhereTheSameOrderDoesNot) {
  const SizedLists messages = everyoneToEveryone(8, 100000);
  const std::vector<double> tail(8);
  const PortCosts costs{0, 0, 1e-8};
  const double bound = portLowerBound(messages, tail, costs);
  EXPECT_DOUBLE_EQ(
      portCompletion(reordered(messages, staggerMessages(messages, tail)), tail, costs), bound);
  EXPECT_GT(portCompletion(messages, tail, costs), 1.5 * bound);
}

TEST(PortModel, NoOrderIsBelowTheBound) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 200; ++trial) {
    SizedLists messages = randomMessages(random, 10, 12, true);
    std::vector<double> tail(10);
    for (double &seconds : tail)
      seconds = static_cast<double>(random() % 1000);
    const PortCosts costs{3, 2, 0.1};
    EXPECT_LE(portLowerBound(messages, tail, costs), portCompletion(messages, tail, costs) + 1e-9);
  }
}

TEST(PortModel, MessagesHandedOverAtOnceTakeTheIncastFactor) {
  const SizedLists messages{{{2, 100}, {1, 100}}, {{2, 300}}, {}};
  auto factor = [](std::size_t senders, double bytes) {
    EXPECT_EQ(bytes, senders == 2 ? 200 : 100);
    return senders == 2 ? 3.0 : 1.0;
  };
  EXPECT_DOUBLE_EQ(incastCompletion(messages, {0, 0, 5}, {2, 0, 1}, factor), 3 * 400 + 2 + 5);
}
