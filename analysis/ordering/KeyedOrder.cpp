// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/KeyedOrder.h"

#include <algorithm>
#include <functional>

namespace sendwright {

std::vector<double> receiverKeys(const SendLists &second, const std::vector<double> &work) {
  std::vector<double> key(second.size());
  for (std::size_t rank = 0; rank < key.size(); ++rank)
    key[rank] = static_cast<double>(second[rank].size()) + (work.empty() ? 0 : work[rank]);
  return key;
}

SendLists orderByKey(const SendLists &first, const std::vector<double> &key, KeyOrder order) {
  SendLists sorted = first;
  for (std::vector<int> &list : sorted)
    if (order == KeyOrder::Descending)
      std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return key[a] > key[b]; });
    else
      std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return key[a] < key[b]; });
  return sorted;
}

double completion(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy) {
  // received[p]: r_1(p), the time when the last message of the first phase arrives.
  std::vector<std::size_t> received(first.size());
  for (const std::vector<int> &list : first) {
    std::size_t sent = 0;
    for (int destination : list)
      received[destination] = std::max(received[destination], ++sent);
  }
  double last = loadBound(first, key, busy);
  for (std::size_t rank = 0; rank < first.size(); ++rank)
    last = std::max(last, static_cast<double>(received[rank]) + key[rank]);
  return last;
}

double loadBound(const SendLists &first, const std::vector<double> &key,
                 const std::vector<double> &busy) {
  double bound = 0;
  for (std::size_t rank = 0; rank < first.size(); ++rank)
    bound = std::max(bound, static_cast<double>(first[rank].size()) +
                                (busy.empty() ? 0 : busy[rank]) + key[rank]);
  return bound;
}

double lowerBound(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy) {
  double bound = loadBound(first, key, busy);
  std::vector<double> keys;
  for (const std::vector<int> &list : first) {
    keys.clear();
    for (int destination : list)
      keys.push_back(key[destination]);
    std::sort(keys.begin(), keys.end(), std::greater<>());
    for (std::size_t before = 0; before < keys.size(); ++before)
      bound = std::max(bound, static_cast<double>(before + 1) + keys[before]);
  }
  return bound;
}

} // namespace sendwright
