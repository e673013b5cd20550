// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/PortListOrder.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace sendwright {

namespace {

/// Ports: senders 0 to ranks - 1, receivers behind them.
class ListScheduler {
public:
  ListScheduler(const std::vector<Message> &messages, int ranks)
      : messages(messages), ranks(static_cast<std::size_t>(ranks)), ports(2 * this->ranks) {
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      if (messages[i].local())
        continue;
      for (std::size_t port : {senderOf(i), receiverOf(i)}) {
        ports[port].waiting.push_back(i);
        ports[port].load += messages[i].elements;
      }
    }
    orders.send.resize(this->ranks);
    orders.receive.resize(this->ranks);
  }

  PortOrders run() {
    std::vector<std::size_t> all(ports.size());
    std::iota(all.begin(), all.end(), 0);
    serve(all, 0);
    std::vector<std::size_t> freed;
    while (!ends.empty()) {
      const std::int64_t now = ends.top().first;
      freed.clear();
      for (; !ends.empty() && ends.top().first == now; ends.pop())
        for (std::size_t port : {senderOf(ends.top().second), receiverOf(ends.top().second)}) {
          ports[port].free = true;
          freed.push_back(port);
        }
      serve(freed, now);
    }
    return std::move(orders);
  }

private:
  using End = std::pair<std::int64_t, std::uint32_t>; // when, which message

  struct Port {
    std::vector<std::uint32_t> waiting;
    std::int64_t load = 0; // of what has not ended
    bool free = true;
  };

  std::size_t senderOf(std::uint32_t message) const {
    return static_cast<std::size_t>(messages[message].source);
  }
  std::size_t receiverOf(std::uint32_t message) const {
    return ranks + static_cast<std::size_t>(messages[message].destination);
  }

  /// Ports that became free start what they can, the busiest first.
  void serve(std::vector<std::size_t> &freed, std::int64_t now) {
    std::sort(freed.begin(), freed.end(), [this](std::size_t a, std::size_t b) {
      return ports[a].load != ports[b].load ? ports[a].load > ports[b].load : a < b;
    });
    for (std::size_t port : freed)
      if (ports[port].free)
        startOneOf(port, now);
  }

  void startOneOf(std::size_t port, std::int64_t now) {
    const bool sending = port < ranks;
    std::size_t chosen = 0, other = ports.size();
    std::vector<std::uint32_t> &waiting = ports[port].waiting;
    for (std::size_t at = 0; at < waiting.size(); ++at) {
      const std::size_t end = sending ? receiverOf(waiting[at]) : senderOf(waiting[at]);
      if (ports[end].free && (other == ports.size() || ports[end].load > ports[other].load)) {
        chosen = at;
        other = end;
      }
    }
    if (other == ports.size())
      return;
    const std::uint32_t message = waiting[chosen];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
    std::vector<std::uint32_t> &there = ports[other].waiting;
    there.erase(std::find(there.begin(), there.end(), message));
    start(message, now);
  }

  void start(std::uint32_t message, std::int64_t now) {
    for (std::size_t port : {senderOf(message), receiverOf(message)}) {
      ports[port].free = false;
      ports[port].load -= messages[message].elements;
    }
    orders.send[senderOf(message)].push_back(message);
    orders.receive[receiverOf(message) - ranks].push_back(message);
    ends.emplace(now + messages[message].elements, message);
  }

  const std::vector<Message> &messages;
  std::size_t ranks;
  std::vector<Port> ports;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  PortOrders orders;
};

} // namespace

PortOrders orderByRemainingLoad(const std::vector<Message> &messages, int ranks) {
  return ListScheduler(messages, ranks).run();
}

} // namespace sendwright
