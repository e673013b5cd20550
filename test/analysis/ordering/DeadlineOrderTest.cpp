// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders within deadlines: as good as the best in the model, with less waiting at the receivers.

#include "analysis/ordering/DeadlineOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace sendwright;

namespace {

SendLists randomLists(std::mt19937 &random, std::size_t ranks, std::size_t most) {
  SendLists lists(ranks);
  for (std::vector<int> &list : lists)
    for (std::size_t count = random() % (most + 1); count > 0; --count)
      list.push_back(static_cast<int>(random() % ranks));
  return lists;
}

/// Sends during which messages wait at their receivers, if all ranks send in step.
double waiting(const SendLists &lists, double occupation) {
  std::vector<double> freeAt(lists.size());
  double total = 0;
  for (std::size_t round = 0, left = 1; left > 0; ++round) {
    left = 0;
    for (const std::vector<int> &list : lists)
      if (round < list.size()) {
        ++left;
        const double start = std::max(freeAt[list[round]], static_cast<double>(round));
        total += start - static_cast<double>(round);
        freeAt[list[round]] = start + occupation;
      }
  }
  return total;
}

} // namespace

TEST(DeadlineOrder, IsOptimalWhateverTheInstance) {
  std::mt19937 random(1);
  for (int instance = 0; instance < 2000; ++instance) {
    const std::size_t ranks = 1 + random() % 12;
    const SendLists first = randomLists(random, ranks, random() % 100 == 0 ? 200 : 12);
    std::vector<double> work(ranks), busy(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      work[rank] = static_cast<double>(random() % 40) / 3;
      busy[rank] = random() % 4 == 0 ? static_cast<double>(random() % 9) / 7 : 0;
    }
    const std::vector<double> key = receiverKeys(randomLists(random, ranks, 20), work);
    SendLists ordered = orderByDeadline(first, key, busy, static_cast<double>(random() % 5) / 4);
    ASSERT_LE(completion(ordered, key, busy),
              completion(orderByKey(first, key, KeyOrder::Descending), key, busy) + 1e-6);
    SendLists given = first;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      std::sort(ordered[rank].begin(), ordered[rank].end());
      std::sort(given[rank].begin(), given[rank].end());
    }
    ASSERT_EQ(ordered, given);
  }
}

TEST(DeadlineOrder, WaitsLessAtTheReceivers) {
  std::mt19937 random(2);
  double byKey = 0, byDeadline = 0;
  for (int instance = 0; instance < 100; ++instance) {
    const SendLists first = randomLists(random, 16, 12);
    const std::vector<double> key = receiverKeys(randomLists(random, 16, 20), {});
    byKey += waiting(orderByKey(first, key, KeyOrder::Descending), 0.8);
    byDeadline += waiting(orderByDeadline(first, key, {}, 0.8), 0.8);
  }
  EXPECT_LT(byDeadline, 0.5 * byKey);
}

TEST(DeadlineOrder, ShortMessagesGoByKeyAlone) {
  const SendLists first = {{1, 2, 3}, {0, 2, 3}, {3, 1, 0}, {}};
  const std::vector<double> key = {5, 2, 9, 4};
  EXPECT_EQ(orderByDeadline(first, key, {}, 0.01), orderByKey(first, key, KeyOrder::Descending));
}

TEST(DeadlineOrder, EqualKeysAreARotation) {
  const SendLists first = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  EXPECT_EQ(orderByDeadline(first, {1, 1, 1, 1}, {}, 0.01),
            (SendLists{{1, 2, 3}, {2, 3, 0}, {3, 0, 1}, {0, 1, 2}}));
}

TEST(DeadlineOrder, NoRanks) { EXPECT_EQ(orderByDeadline({}, {}, {}, 1), SendLists{}); }
