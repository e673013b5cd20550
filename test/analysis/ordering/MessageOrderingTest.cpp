// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of messages compared with every other possible order, on small random patterns.

#include "analysis/ordering/KeyedOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace sendwright;

namespace {

struct Instance {
  SendLists first;
  std::vector<double> key;
};

/// Up to five ranks with up to three messages each: at most 6^5 orders.
Instance randomInstance(std::mt19937 &random, bool unequalWork) {
  const int ranks = 2 + static_cast<int>(random() % 4);
  auto randomLists = [&](int most) {
    SendLists lists(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      for (int other = 0; other < ranks; ++other)
        if (other != rank)
          lists[rank].push_back(other);
      std::shuffle(lists[rank].begin(), lists[rank].end(), random);
      lists[rank].resize(random() % (std::min<int>(most, ranks - 1) + 1));
    }
    return lists;
  };
  Instance instance;
  instance.first = randomLists(3);
  std::vector<double> work(ranks, static_cast<double>(random() % 4));
  if (unequalWork)
    for (double &w : work)
      w = static_cast<double>(random() % 13) / 2;
  instance.key = receiverKeys(randomLists(4), work);
  return instance;
}

/// Best and worst completion over every order of every list.
std::pair<double, double> bruteForce(SendLists lists, const std::vector<double> &key,
                                     std::size_t rank = 0) {
  if (rank == lists.size()) {
    double value = completion(lists, key);
    return {value, value};
  }
  std::pair<double, double> range{1e300, 0};
  std::sort(lists[rank].begin(), lists[rank].end());
  do {
    auto [best, worst] = bruteForce(lists, key, rank + 1);
    range = {std::min(range.first, best), std::max(range.second, worst)};
  } while (std::next_permutation(lists[rank].begin(), lists[rank].end()));
  return range;
}

/// Equations (1), (2) and (6) of the paper, literally, to check completion().
double completionByDefinition(const SendLists &first, const std::vector<double> &key) {
  double last = 0;
  for (std::size_t p = 0; p < first.size(); ++p) {
    double received = 0;
    for (std::size_t j = 0; j < first.size(); ++j)
      for (std::size_t i = 0; i < first[j].size(); ++i)
        if (first[j][i] == static_cast<int>(p))
          received = std::max(received, static_cast<double>(i) + 1);
    last = std::max(last, std::max(static_cast<double>(first[p].size()), received) + key[p]);
  }
  return last;
}

void compareWithBruteForce(bool unequalWork, unsigned seed) {
  std::mt19937 random(seed);
  int improvable = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    Instance instance = randomInstance(random, unequalWork);
    auto [best, worst] = bruteForce(instance.first, instance.key);
    SendLists sorted = orderByKey(instance.first, instance.key, KeyOrder::Descending);
    ASSERT_EQ(completion(sorted, instance.key), best) << "trial " << trial;
    ASSERT_EQ(
        completion(orderByKey(instance.first, instance.key, KeyOrder::Ascending), instance.key),
        worst)
        << "trial " << trial;
    ASSERT_EQ(completion(instance.first, instance.key),
              completionByDefinition(instance.first, instance.key));
    ASSERT_LE(lowerBound(instance.first, instance.key), best);
    ASSERT_LE(loadBound(instance.first, instance.key), best);
    ASSERT_EQ(lowerBound(instance.first, instance.key), best) << "the bound is reached";
    improvable += best < worst;
  }
  EXPECT_GT(improvable, 300) << "too few instances in which the order matters";
}

} // namespace

TEST(MessageOrdering, AgreesWithBruteForceForEqualWork) { compareWithBruteForce(false, 1); }

TEST(MessageOrdering, AgreesWithBruteForceForUnequalWork) { compareWithBruteForce(true, 2); }

TEST(MessageOrdering, IgnoringUnequalWorkIsNotOptimal) {
  // Rank 0 sends to 1 (no work, two sends) and to 2 (much work, no send).
  SendLists first{{1, 2}, {}, {}};
  SendLists second{{}, {0, 2}, {}};
  std::vector<double> key = receiverKeys(second, {0, 0, 5});
  SendLists bySends = orderByKey(first, receiverKeys(second, {}), KeyOrder::Descending);
  EXPECT_EQ(completion(bySends, key), 7);
  EXPECT_EQ(completion(orderByKey(first, key, KeyOrder::Descending), key), 6);
}

TEST(MessageOrdering, EqualKeysStayInTheOrderGiven) {
  SendLists first{{3, 1, 2, 1}, {}, {}, {}};
  std::vector<double> key{0, 1, 2, 1};
  SendLists expected{{2, 3, 1, 1}, {}, {}, {}};
  EXPECT_EQ(orderByKey(first, key, KeyOrder::Descending), expected);
}

TEST(MessageOrdering, NoRanksAreDoneAtOnce) {
  EXPECT_EQ(completion({}, {}), 0);
  EXPECT_EQ(lowerBound({}, {}), 0);
}

TEST(MessageOrdering, WorkBeforeTheWaitHidesALateMessage) {
  // Rank 1 gets its message third, and has one send to do afterwards.
  SendLists first{{2, 3, 1}, {}, {}, {}};
  const std::vector<double> key{0, 1, 0, 0};
  EXPECT_EQ(completion(first, key), 4);
  EXPECT_EQ(completion(first, key, {0, 2, 0, 0}), 4);
  EXPECT_EQ(completion(first, key, {0, 5, 0, 0}), 6);
  EXPECT_EQ(lowerBound(first, key, {0, 5, 0, 0}), 6);
}
