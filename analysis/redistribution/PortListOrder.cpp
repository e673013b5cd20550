// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/PortListOrder.h"

#include "analysis/ordering/StaggeredOrder.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

namespace sendwright {

namespace {

/// Ports: senders 0 to ranks - 1, then receivers.
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
    std::int64_t load = 0; // of messages that have not ended
    bool free = true;
  };

  std::size_t senderOf(std::uint32_t message) const {
    return static_cast<std::size_t>(messages[message].source);
  }
  std::size_t receiverOf(std::uint32_t message) const {
    return ranks + static_cast<std::size_t>(messages[message].destination);
  }

  /// Ports that became free start what they can, busiest first.
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

std::vector<std::uint32_t> remoteOnes(const std::vector<Message> &messages) {
  std::vector<std::uint32_t> remote;
  for (std::uint32_t i = 0; i < messages.size(); ++i)
    if (!messages[i].local())
      remote.push_back(i);
  return remote;
}

PortOrders emptyOrders(int ranks) {
  PortOrders orders;
  orders.send.resize(static_cast<std::size_t>(ranks));
  orders.receive.resize(static_cast<std::size_t>(ranks));
  return orders;
}

/// Appends `some` of the messages to the orders, in as few rounds as possible.
void appendRounds(const std::vector<Message> &messages, std::span<const std::uint32_t> some,
                  int ranks, PortOrders &orders) {
  SizedLists lists(static_cast<std::size_t>(ranks));
  for (const std::uint32_t i : some)
    lists[messages[i].source].push_back(
        {messages[i].destination, static_cast<std::uint64_t>(messages[i].elements)});
  const StaggeredOrder staggered =
      staggerMessages(lists, std::vector<double>(static_cast<std::size_t>(ranks)));
  std::vector<std::vector<std::uint32_t>> rounds(staggered.rounds);
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks));
  for (std::uint32_t message : some) {
    const auto source = static_cast<std::size_t>(messages[message].source);
    rounds[staggered.round[source][next[source]++]].push_back(message);
  }
  for (const std::vector<std::uint32_t> &round : rounds)
    for (std::uint32_t message : round) {
      orders.send[messages[message].source].push_back(message);
      orders.receive[messages[message].destination].push_back(message);
    }
}

} // namespace

PortOrders orderByRounds(const std::vector<Message> &messages, int ranks) {
  PortOrders orders = emptyOrders(ranks);
  appendRounds(messages, remoteOnes(messages), ranks, orders);
  return orders;
}

PortOrders orderBySizes(const std::vector<Message> &messages, int ranks) {
  std::vector<std::uint32_t> remote = remoteOnes(messages);
  std::stable_sort(remote.begin(), remote.end(), [&](std::uint32_t a, std::uint32_t b) {
    return messages[a].elements > messages[b].elements;
  });
  PortOrders orders = emptyOrders(ranks);
  for (auto first = remote.begin(); first != remote.end();) {
    const std::int64_t largest = messages[*first].elements;
    const auto end = std::find_if(first, remote.end(), [&](std::uint32_t i) {
      return messages[i].elements < largest - largest / 8;
    });
    appendRounds(messages, {first, end}, ranks, orders);
    first = end;
  }
  return orders;
}

PortOrders orderByRemainingLoad(const std::vector<Message> &messages, int ranks) {
  return ListScheduler(messages, ranks).run();
}

} // namespace sendwright
