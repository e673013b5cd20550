// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/AsynchronousOrder.h"

#include "analysis/redistribution/PortListOrder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint32_t noMessage = UINT32_MAX;

enum class Turn : char { Between, First, Last };

/// The inner messages of a port, at most two.
struct InnerPair {
  std::uint32_t message[2] = {noMessage, noMessage};
  std::uint32_t other(std::uint32_t one) const { return message[message[0] == one]; }
};

/// Finds the inner messages of each port and assigns alternating turns.
class InnerMessages {
public:
  InnerMessages(const std::vector<Message> &messages, int ranks)
      : messages(messages), turns(messages.size(), Turn::Between),
        atSender(static_cast<std::size_t>(ranks)), atReceiver(static_cast<std::size_t>(ranks)) {}

  /// A turn for each message; nothing if a port has more than two inner messages.
  std::optional<std::vector<Turn>> alternate() {
    std::vector<std::uint32_t> sends(atSender.size()), receives(atSender.size());
    for (const Message &message : messages)
      if (!message.local()) {
        ++sends[message.source];
        ++receives[message.destination];
      }
    std::vector<std::uint32_t> inner;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      const Message &message = messages[i];
      if (message.local() || sends[message.source] < 2 || receives[message.destination] < 2)
        continue;
      inner.push_back(i);
      if (!add(atSender[message.source], i) || !add(atReceiver[message.destination], i))
        return std::nullopt;
    }
    for (std::uint32_t start : inner)
      if (turns[start] == Turn::Between)
        alternateFrom(start);
    return std::move(turns);
  }

private:
  static bool add(InnerPair &pair, std::uint32_t message) {
    std::uint32_t &slot = pair.message[pair.message[0] != noMessage];
    const bool free = slot == noMessage;
    slot = message;
    return free;
  }

  /// Follows the path through a message in both directions.
  void alternateFrom(std::uint32_t start) {
    turns[start] = Turn::First;
    for (bool bySender : {true, false}) {
      bool sender = bySender;
      for (std::uint32_t at = start;; sender = !sender) {
        const Message &message = messages[at];
        const std::uint32_t next =
            sender ? atSender[message.source].other(at) : atReceiver[message.destination].other(at);
        if (next == noMessage || turns[next] != Turn::Between)
          break;
        turns[next] = turns[at] == Turn::First ? Turn::Last : Turn::First;
        at = next;
      }
    }
  }

  const std::vector<Message> &messages;
  std::vector<Turn> turns;
  std::vector<InnerPair> atSender, atReceiver;
};

PortOrders ordersByTurn(const std::vector<Message> &messages, const std::vector<Turn> &turns,
                        int ranks) {
  PortOrders orders;
  orders.send.resize(static_cast<std::size_t>(ranks));
  orders.receive.resize(static_cast<std::size_t>(ranks));
  for (Turn turn : {Turn::First, Turn::Between, Turn::Last})
    for (std::uint32_t i = 0; i < messages.size(); ++i)
      if (turns[i] == turn && !messages[i].local()) {
        orders.send[messages[i].source].push_back(i);
        orders.receive[messages[i].destination].push_back(i);
      }
  return orders;
}

} // namespace

std::int64_t largestPortLoad(const std::vector<Message> &messages, int ranks) {
  std::vector<std::int64_t> sent(static_cast<std::size_t>(ranks)), received(sent);
  std::int64_t largest = 0;
  for (const Message &message : messages)
    if (!message.local())
      largest = std::max({largest, sent[message.source] += message.elements,
                          received[message.destination] += message.elements});
  return largest;
}

std::optional<std::int64_t> asynchronousMakespan(const std::vector<Message> &messages,
                                                 const PortOrders &orders) {
  struct Port {
    std::size_t next = 0;
    std::int64_t free = 0;
  };
  std::vector<Port> senders(orders.send.size()), receivers(orders.receive.size());
  const auto head = [](const std::vector<std::uint32_t> &order, const Port &port) {
    return port.next < order.size() ? order[port.next] : noMessage;
  };
  std::size_t left = 0;
  std::int64_t makespan = 0;
  std::vector<std::size_t> toServe; // senders for whom another message may have become the next
  for (const Message &message : messages)
    left += !message.local();
  for (std::size_t rank = orders.send.size(); rank-- > 0;)
    toServe.push_back(rank);
  while (!toServe.empty()) {
    const std::size_t rank = toServe.back();
    toServe.pop_back();
    for (std::uint32_t i; (i = head(orders.send[rank], senders[rank])) != noMessage;) {
      const Message &message = messages[i];
      const auto destination = static_cast<std::size_t>(message.destination);
      Port &sender = senders[rank], &receiver = receivers[destination];
      if (head(orders.receive[destination], receiver) != i)
        break;
      const std::int64_t end = std::max(sender.free, receiver.free) + message.elements;
      sender.free = receiver.free = end;
      makespan = std::max(makespan, end);
      ++sender.next;
      ++receiver.next;
      --left;
      if (const std::uint32_t next = head(orders.receive[destination], receiver);
          next != noMessage && static_cast<std::size_t>(messages[next].source) != rank)
        toServe.push_back(static_cast<std::size_t>(messages[next].source));
    }
  }
  return left == 0 ? std::optional(makespan) : std::nullopt;
}

namespace {

/// For the orders of a schedule, in which nothing waits forever.
std::int64_t makespanOf(const std::vector<Message> &messages, const PortOrders &orders) {
  return asynchronousMakespan(messages, orders).value_or(std::numeric_limits<std::int64_t>::max());
}

} // namespace

AsynchronousOrder asynchronousOrder(const std::vector<Message> &messages, int ranks) {
  AsynchronousOrder result;
  result.lowerBound = largestPortLoad(messages, ranks);
  if (const auto turns = InnerMessages(messages, ranks).alternate()) {
    result.orders = ordersByTurn(messages, *turns, ranks);
    result.makespan = makespanOf(messages, result.orders);
    return result;
  }
  result.makespan = std::numeric_limits<std::int64_t>::max();
  // Cheap orders first.
  for (const auto order : {orderBySizes, orderByRounds, orderByRemainingLoad}) {
    PortOrders orders = order(messages, ranks);
    const std::int64_t makespan = makespanOf(messages, orders);
    if (makespan < result.makespan) {
      result.orders = std::move(orders);
      result.makespan = makespan;
    }
    if (result.makespan - result.lowerBound <= result.lowerBound / 100)
      break; // the next order cannot gain enough to be worth its time
  }
  return result;
}

} // namespace sendwright
