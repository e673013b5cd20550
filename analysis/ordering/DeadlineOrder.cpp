// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/DeadlineOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sendwright {

namespace {

constexpr std::size_t candidatesAtOnce = 64;
constexpr double waitThatCounts = 0.1; // sends

/// What one rank still has to send, by deadline.
struct Remaining {
  std::vector<int> destinations;
  std::size_t next = 0;

  std::size_t count() const { return destinations.size() - next; }
  int at(std::size_t index) const { return destinations[next + index]; }
  int take(std::size_t index) {
    const auto first = destinations.begin() + static_cast<std::ptrdiff_t>(next++);
    std::rotate(first, first + static_cast<std::ptrdiff_t>(index),
                first + static_cast<std::ptrdiff_t>(index) + 1);
    return *first;
  }
};

class DeadlineOrdering {
public:
  DeadlineOrdering(const SendLists &first, const std::vector<double> &key,
                   const std::vector<double> &busy, double occupation)
      : occupation(occupation), deadline(key.size()), freeAt(key.size()), remaining(first.size()),
        result(first.size()) {
    const SendLists sorted = orderByKey(first, key, KeyOrder::Descending);
    const double best = completion(sorted, key, busy);
    const double rounding = 1e-9 * std::max(1.0, best);
    for (std::size_t rank = 0; rank < key.size(); ++rank)
      deadline[rank] = std::floor(best - key[rank] + rounding);
    for (std::size_t rank = 0; rank < first.size(); ++rank) {
      remaining[rank].destinations = sorted[rank];
      sortForSender(remaining[rank].destinations, rank, key);
      rounds = std::max(rounds, first[rank].size());
    }
  }

  SendLists run() {
    for (std::size_t round = 0; round < rounds; ++round)
      sendRound(round);
    return std::move(result);
  }

private:
  /// Larger keys first; ties go to the nearest receiver above the sender.
  static void sortForSender(std::vector<int> &destinations, std::size_t sender,
                            const std::vector<double> &key) {
    const auto distance = [&](int receiver) {
      return (static_cast<std::size_t>(receiver) + key.size() - sender) % key.size();
    };
    std::stable_sort(destinations.begin(), destinations.end(), [&](int a, int b) {
      return key[a] != key[b] ? key[a] > key[b] : distance(a) < distance(b);
    });
  }

  /// Senders with the least choice choose first.
  void sendRound(std::size_t round) {
    std::vector<std::pair<std::size_t, std::size_t>> senders; // how much choice, which rank
    for (std::size_t rank = 0; rank < remaining.size(); ++rank)
      if (remaining[rank].count() > 0)
        senders.emplace_back(admissible(remaining[rank], round), rank);
    std::sort(senders.begin(), senders.end());
    for (const auto &[choice, sender] : senders)
      sendOne(sender, choice, static_cast<double>(round));
  }

  /// How many of the first messages may go in this round. If a message goes, the messages before it
  /// are delayed by one place, which a message that must go at its very place does not allow.
  std::size_t admissible(const Remaining &list, std::size_t round) const {
    const std::size_t most = std::min(list.count(), candidatesAtOnce);
    for (std::size_t index = 0; index < most; ++index)
      if (deadline[list.at(index)] <= static_cast<double>(round + 1 + index))
        return index + 1;
    return most;
  }

  void sendOne(std::size_t sender, std::size_t choice, double now) {
    std::size_t chosen = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t index = 0; index < choice && least > 0; ++index) {
      const double wait = std::max(0.0, freeAt[remaining[sender].at(index)] - now);
      const double counted = std::floor(wait / waitThatCounts);
      if (counted < least) {
        least = counted;
        chosen = index;
      }
    }
    const int receiver = remaining[sender].take(chosen);
    result[sender].push_back(receiver);
    freeAt[receiver] = std::max(freeAt[receiver], now) + occupation;
  }

  double occupation;
  std::size_t rounds = 0;
  std::vector<double> deadline; ///< by receiver: the last place, from 1, for a message to it
  std::vector<double> freeAt;   ///< by receiver: when its port is free, in sends since the start
  std::vector<Remaining> remaining;
  SendLists result;
};

} // namespace

SendLists orderByDeadline(const SendLists &first, const std::vector<double> &key,
                          const std::vector<double> &busy, double occupation) {
  return DeadlineOrdering(first, key, busy, occupation).run();
}

} // namespace sendwright
