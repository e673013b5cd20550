// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/PortSchedule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

namespace sendwright {

namespace {

/// The messages of one pair of ranks that have not started: so many of a list of the sender's.
struct Waiting {
  int receiver = 0;
  std::uint32_t next = 0, left = 0; ///< `next`: index into PortScheduler::indices
};

class PortScheduler {
public:
  PortScheduler(const SizedLists &messages, const std::vector<double> &tail, const PortCosts &costs)
      : messages(messages), costs(costs), out(messages.size()), in(tail),
        senderIsFree(messages.size(), true), receiverIsFree(messages.size(), true),
        waiting(messages.size()), senders(messages.size()), order(messages.size()) {
    for (std::size_t sender = 0; sender < messages.size(); ++sender) {
      for (std::size_t index = messages[sender].size(); index > 0; --index) {
        const SizedMessage &message = messages[sender][index - 1];
        out[sender] += occupation(message);
        in[message.destination] += occupation(message);
      }
      findWaiting(sender);
      for (const Waiting &pair : waiting[sender])
        senders[pair.receiver].push_back(static_cast<int>(sender));
    }
  }

  std::vector<std::vector<std::uint32_t>> run() {
    std::vector<int> all(messages.size());
    std::iota(all.begin(), all.end(), 0);
    serveSenders(std::move(all), 0);
    while (!ends.empty())
      advance();
    return std::move(order);
  }

private:
  using End = std::tuple<double, int, int>; // when, sender, receiver

  /// The sender's messages by receiver, each receiver's in their order.
  void findWaiting(std::size_t sender) {
    const std::size_t count = messages[sender].size(), first = indices.size();
    for (std::size_t index = 0; index < count; ++index)
      indices.push_back(static_cast<std::uint32_t>(index));
    std::stable_sort(indices.begin() + static_cast<std::ptrdiff_t>(first), indices.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return messages[sender][a].destination < messages[sender][b].destination;
                     });
    for (std::size_t at = first; at < indices.size(); ++at) {
      const auto receiver = static_cast<int>(messages[sender][indices[at]].destination);
      if (waiting[sender].empty() || waiting[sender].back().receiver != receiver)
        waiting[sender].push_back({receiver, static_cast<std::uint32_t>(at), 0});
      ++waiting[sender].back().left;
    }
  }

  /// What waits for `receiver`, or the end.
  std::vector<Waiting>::iterator findPair(int sender, int receiver) {
    std::vector<Waiting> &pairs = waiting[sender];
    const auto found =
        std::lower_bound(pairs.begin(), pairs.end(), receiver,
                         [](const Waiting &pair, int wanted) { return pair.receiver < wanted; });
    return found != pairs.end() && found->receiver == receiver ? found : pairs.end();
  }

  double occupation(const SizedMessage &message) const {
    return costs.perMessage + static_cast<double>(message.bytes) * costs.perByte;
  }

  /// Goes to the next end of messages and starts what has become possible.
  void advance() {
    const double now = std::get<0>(ends.top());
    std::vector<int> freedSenders, freedReceivers;
    while (!ends.empty() && std::get<0>(ends.top()) <= now) {
      const auto [time, sender, receiver] = ends.top();
      ends.pop();
      senderIsFree[sender] = receiverIsFree[receiver] = true;
      freedSenders.push_back(sender);
      freedReceivers.push_back(receiver);
    }
    serveSenders(std::move(freedSenders), now);
    for (int receiver : freedReceivers)
      if (receiverIsFree[receiver])
        serveReceiver(receiver, now);
  }

  /// The busiest sender chooses first, and chooses the busiest receiver.
  void serveSenders(std::vector<int> freed, double now) {
    std::stable_sort(freed.begin(), freed.end(), [&](int a, int b) { return out[a] > out[b]; });
    for (int sender : freed) {
      int chosen = -1;
      for (const auto &[receiver, next, left] : waiting[sender])
        if (receiverIsFree[receiver] && (chosen < 0 || in[receiver] > in[chosen]))
          chosen = receiver;
      if (chosen >= 0)
        start(sender, chosen, now);
    }
  }

  void serveReceiver(int receiver, double now) {
    int chosen = -1;
    for (int sender : senders[receiver])
      if (senderIsFree[sender] && (chosen < 0 || out[sender] > out[chosen]) &&
          findPair(sender, receiver) != waiting[sender].end())
        chosen = sender;
    if (chosen >= 0)
      start(chosen, receiver, now);
  }

  void start(int sender, int receiver, double now) {
    const auto pair = findPair(sender, receiver);
    const std::uint32_t index = indices[pair->next++];
    if (--pair->left == 0)
      waiting[sender].erase(pair);
    const double time = occupation(messages[sender][index]);
    order[sender].push_back(index);
    out[sender] -= time;
    in[receiver] -= time;
    senderIsFree[sender] = receiverIsFree[receiver] = false;
    ends.emplace(now + time, sender, receiver);
  }

  const SizedLists &messages;
  const PortCosts &costs;
  std::vector<double> out, in; ///< seconds of work left for each port, tails included
  std::vector<char> senderIsFree, receiverIsFree;
  std::vector<std::vector<Waiting>> waiting; ///< per sender, by receiver
  std::vector<std::uint32_t> indices;        ///< of messages of their senders
  std::vector<std::vector<int>> senders;     ///< per receiver
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::vector<std::vector<std::uint32_t>> order;
};

} // namespace

std::vector<std::vector<std::uint32_t>>
schedulePorts(const SizedLists &messages, const std::vector<double> &tail, const PortCosts &costs) {
  return PortScheduler(messages, tail, costs).run();
}

} // namespace sendwright
