// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/MessageOrder.h"

#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/Messages.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/OptimalSteps.h"
#include "analysis/redistribution/PairDigest.h"
#include "analysis/redistribution/TwoPhaseDegreeReduction.h"

#include <algorithm>
#include <stdexcept>

namespace sendwright::redistribution {

namespace {

/// The largest number of messages that are ordered together where they are not known along the
/// array.
constexpr std::int64_t mostMessages = 4096;

bool sharesPairs(const std::vector<Message> &a, const std::vector<Message> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Message &x, const Message &y) {
    return x.source == y.source && x.destination == y.destination;
  });
}

/// Combines the messages of each pair of ranks into one.
void combine(std::vector<Message> &messages) {
  std::stable_sort(messages.begin(), messages.end(), [](const Message &a, const Message &b) {
    return a.source != b.source ? a.source < b.source : a.destination < b.destination;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (kept > 0 && messages[kept - 1].source == messages[i].source &&
        messages[kept - 1].destination == messages[i].destination)
      messages[kept - 1].elements += messages[i].elements;
    else
      messages[kept++] = messages[i];
  messages.resize(kept);
}

/// The messages of all ranks, in bytes; in array order where all arrays move alike.
std::vector<Message> allMessages(std::span<const ArrayMotion> arrays) {
  std::vector<Message> all;
  for (const ArrayMotion &array : arrays) {
    std::vector<Message> messages = messagesBetween(*array.from, *array.to);
    for (Message &message : messages)
      message.elements *= static_cast<std::int64_t>(array.elementSize);
    if (sharesPairs(all, messages)) {
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i].elements += messages[i].elements;
    } else {
      const bool first = all.empty();
      all.insert(all.end(), messages.begin(), messages.end());
      if (!first)
        combine(all);
    }
  }
  return all;
}

PortOrders ordersOf(const std::vector<std::vector<std::uint32_t>> &steps,
                    const std::vector<Message> &messages, int ranks) {
  PortOrders orders;
  orders.send.resize(static_cast<std::size_t>(ranks));
  orders.receive.resize(static_cast<std::size_t>(ranks));
  for (const std::vector<std::uint32_t> &step : steps)
    for (const std::uint32_t i : step)
      if (!messages[i].local()) {
        orders.send[static_cast<std::size_t>(messages[i].source)].push_back(i);
        orders.receive[static_cast<std::size_t>(messages[i].destination)].push_back(i);
      }
  return orders;
}

/// The orders of a schedule in steps. Nothing where `kind` has no steps, or where no such schedule
/// is known for these messages, because several arrays move differently.
std::optional<PortOrders> ordersInSteps(const std::vector<Message> &messages, int ranks,
                                        unsigned kind) {
  const std::vector<double> costs = messageCosts(messages, 1);
  switch (kind) {
  case SENDWRIGHT_SCHEDULE_OPTIMAL:
    try {
      return ordersOf(optimalSteps(messages, costs, StepLimit::LargestDegree, false).steps,
                      messages, ranks);
    } catch (const std::invalid_argument &) {
      return std::nullopt;
    }
  case SENDWRIGHT_SCHEDULE_MLC:
    return ordersOf(scheduleInLevels(messages, costs).steps, messages, ranks);
  case SENDWRIGHT_SCHEDULE_TPDR:
    return ordersOf(reduceDegrees(messages, costs, true).steps, messages, ranks);
  default:
    return std::nullopt;
  }
}

PortOrders ordersOf(const std::vector<Message> &messages, int ranks, unsigned kind,
                    bool intervals) {
  if (intervals)
    if (std::optional<PortOrders> orders = ordersInSteps(messages, ranks, kind))
      return std::move(*orders);
  return asynchronousOrder(messages, ranks).orders;
}

PeerOrder peersOf(int rank, const std::vector<Message> &messages, const PortOrders &orders) {
  PeerOrder order;
  for (const std::uint32_t i : orders.send[static_cast<std::size_t>(rank)])
    order.sends.push_back(messages[i].destination);
  for (const std::uint32_t i : orders.receive[static_cast<std::size_t>(rank)])
    order.receives.push_back(messages[i].source);
  return order;
}

std::vector<Message> remoteMessages(const sendwright_schedule &known) {
  std::vector<Message> messages;
  for (unsigned long i = 0; i < known.message_count; ++i) {
    const sendwright_scheduled_message &message = known.messages[i];
    if (message.source != message.destination)
      messages.push_back({message.source, message.destination, message.elements});
  }
  return messages;
}

/// Whether `messages` are the remote messages in `all`, in any order.
bool isSame(std::vector<Message> messages, std::vector<Message> all) {
  const auto byPair = [](const Message &a, const Message &b) {
    return a.source != b.source ? a.source < b.source : a.destination < b.destination;
  };
  std::erase_if(all, [](const Message &message) { return message.local(); });
  std::sort(messages.begin(), messages.end(), byPair);
  std::sort(all.begin(), all.end(), byPair);
  return messages == all;
}

/// The orders that a known schedule gives for its remote messages.
PortOrders ordersOf(const sendwright_schedule &known, int ranks) {
  PortOrders orders;
  orders.send.resize(static_cast<std::size_t>(ranks));
  orders.receive.resize(static_cast<std::size_t>(ranks));
  std::vector<unsigned> steps;
  for (unsigned long i = 0; i < known.message_count; ++i) {
    const sendwright_scheduled_message &message = known.messages[i];
    if (message.source == message.destination)
      continue;
    const auto number = static_cast<std::uint32_t>(steps.size());
    steps.push_back(message.step);
    orders.send[static_cast<std::size_t>(message.source)].push_back(number);
    orders.receive[static_cast<std::size_t>(message.destination)].push_back(number);
  }
  for (std::vector<std::uint32_t> &order : orders.receive)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return steps[a] < steps[b]; });
  return orders;
}

} // namespace

bool consistsOfIntervals(std::span<const ArrayMotion> arrays) {
  return std::all_of(arrays.begin(), arrays.end(), [](const ArrayMotion &array) {
    return array.from->dimensions() == 1 && array.from->dimension(0).contiguous() &&
           array.to->dimension(0).contiguous();
  });
}

std::optional<PeerOrder> orderTogether(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                       unsigned kind) {
  const bool intervals = consistsOfIntervals(arrays);
  if (!intervals && std::int64_t(ranks) * ranks > mostMessages)
    return std::nullopt;
  const std::vector<Message> messages = allMessages(arrays);
  const PortOrders orders = ordersOf(messages, ranks, kind, intervals);
  return peersOf(rank, messages, orders);
}

std::optional<PeerOrder> knownOrder(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                    const sendwright_schedule &known) {
  if (!consistsOfIntervals(arrays) || !std::all_of(arrays.begin(), arrays.end(), [&](auto &array) {
        return pairDigest(*array.from, *array.to) == known.pair;
      }))
    return std::nullopt;
  const std::vector<Message> messages = remoteMessages(known);
  if (!isSame(messages, messagesBetween(*arrays[0].from, *arrays[0].to)))
    return std::nullopt;
  const PortOrders orders = ordersOf(known, ranks);
  if (!asynchronousMakespan(messages, orders))
    return std::nullopt;
  return peersOf(rank, messages, orders);
}

} // namespace sendwright::redistribution
