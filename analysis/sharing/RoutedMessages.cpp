// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/RoutedMessages.h"

#include <algorithm>
#include <set>

namespace sendwright {

RoutedMessages::RoutedMessages(const Timeline &timeline, const Machine &machine,
                               const PlannedExecutions &executions, const SharedExchanges &plan,
                               MessageSimulation &simulation)
    : timeline(timeline), machine(machine), simulation(simulation) {
  if (plan.rankExchanges.size() < timeline.ranks.size())
    return;
  causes.assign(timeline.messages.size(), noPosition);
  for (std::uint32_t number = 0; number < plan.exchanges.size(); ++number) {
    Exchange exchange = exchangeOf(plan, number);
    exchange.instances = UINT64_MAX;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      if (!exchange.own[rank].empty())
        exchange.instances = std::min(exchange.instances, executions.count(rank, number));
    exchanges.push_back(std::move(exchange));
  }
}

/// Joins the ranks' parts into one exchange.
RoutedMessages::Exchange RoutedMessages::exchangeOf(const SharedExchanges &plan,
                                                    std::uint32_t number) const {
  Exchange exchange;
  exchange.communicator = plan.exchanges[number].communicator;
  exchange.own.resize(timeline.ranks.size());
  exchange.done.resize(timeline.ranks.size());
  std::vector<const RankExchange *> parts(timeline.ranks.size());
  std::map<std::pair<int, int>, std::uint32_t> index;
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    for (const RankExchange &part : plan.rankExchanges[rank]) {
      if (part.exchange != number)
        continue;
      parts[rank] = &part;
      for (const SharedMessage &message : part.messages) {
        if (message.source != static_cast<int>(rank))
          continue;
        const auto own = static_cast<std::uint32_t>(index.size());
        index[{message.source, message.destination}] = own;
        exchange.pairs.emplace_back(message.source, message.destination);
        for (const int tag : message.tags)
          exchange.own[rank][{message.destination, tag}] = own;
      }
    }
  for (std::size_t stage = 0; stage < plan.exchanges[number].stages; ++stage)
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      if (!parts[rank] || stage >= parts[rank]->stages.size())
        continue;
      for (const Transfer &transfer : parts[rank]->stages[stage].sends) {
        CombinedRoute &combined = exchange.combined.emplace_back();
        combined.from = static_cast<std::uint32_t>(rank);
        combined.to = static_cast<std::uint32_t>(transfer.peer);
        for (const std::uint32_t message : transfer.messages) {
          const SharedMessage &shared = parts[rank]->messages[message];
          if (const auto found = index.find({shared.source, shared.destination});
              found != index.end())
            combined.messages.push_back(found->second);
        }
      }
    }
  joinRoutes(exchange);
  return exchange;
}

/// Finds which combined message waits for which. They are ordered by stage, so the combined
/// messages on one message's route come in the order of the route.
void RoutedMessages::joinRoutes(Exchange &exchange) const {
  exchange.withOwn.resize(timeline.ranks.size());
  std::vector<std::uint32_t> latest(exchange.pairs.size(), UINT32_MAX); // by message
  for (std::uint32_t number = 0; number < exchange.combined.size(); ++number) {
    CombinedRoute &combined = exchange.combined[number];
    std::set<std::uint32_t> before;
    bool hasOwn = false;
    for (const std::uint32_t message : combined.messages) {
      if (latest[message] == UINT32_MAX)
        hasOwn = true;
      else
        before.insert(latest[message]);
      latest[message] = number;
    }
    for (const std::uint32_t feeding : before)
      exchange.combined[feeding].feeds.push_back(number);
    if (hasOwn)
      exchange.withOwn[combined.from].push_back(number);
    combined.awaited = static_cast<std::uint32_t>(before.size()) + (hasOwn ? 1 : 0);
  }
}

RoutedMessages::Instance &RoutedMessages::instanceAt(std::uint32_t number, std::uint32_t rank) {
  Exchange &exchange = exchanges[number];
  const std::uint64_t at = exchange.done[rank];
  if (const auto found = exchange.open.find(at); found != exchange.open.end())
    return instances.at(found->second);
  const auto size = static_cast<std::uint32_t>(exchange.combined.size());
  const std::uint32_t first = simulation.addMessages(2 * size);
  exchange.open[at] = first;
  Instance &instance = instances[first];
  instance.exchange = number;
  instance.number = at;
  instance.bytes.resize(exchange.pairs.size());
  instance.contents.resize(exchange.pairs.size());
  instance.positions.resize(size);
  instance.parts.resize(size);
  instance.restPosted.resize(size);
  instance.left = size;
  for (const CombinedRoute &combined : exchange.combined)
    instance.awaited.push_back(combined.awaited);
  return instance;
}

bool RoutedMessages::pack(std::uint32_t number, std::uint32_t rank, std::uint32_t message,
                          const Event &event) {
  const Exchange &exchange = exchanges[number];
  if (exchange.done[rank] >= exchange.instances)
    return false;
  auto found = exchange.own[rank].find({event.peer, event.tag});
  if (found == exchange.own[rank].end())
    found = exchange.own[rank].find({event.peer, anyTag});
  if (found == exchange.own[rank].end() ||
      !(timeline.ranks[rank].profile->communicators[static_cast<std::size_t>(event.communicator)] ==
        exchange.communicator))
    return false;
  Instance &instance = instanceAt(number, rank);
  instance.bytes[found->second] += static_cast<double>(event.bytes + sharedRecordHeader);
  instance.contents[found->second].push_back(message);
  return true;
}

void RoutedMessages::close(std::uint32_t number, std::uint32_t rank, std::size_t position) {
  Exchange &exchange = exchanges[number];
  if (exchange.done[rank] < exchange.instances) {
    Instance &instance = instanceAt(number, rank);
    for (const std::uint32_t combined : exchange.withOwn[rank])
      arrived(instance, combined, position);
  }
  ++exchange.done[rank];
}

/// The combined message waits for one thing less.
void RoutedMessages::arrived(Instance &instance, std::uint32_t combined, std::size_t position) {
  if (--instance.awaited[combined] > 0)
    return;
  instance.positions[combined] = static_cast<std::uint32_t>(position);
  send(instance, combined);
}

void RoutedMessages::send(Instance &instance, std::uint32_t combined) {
  const Exchange &exchange = exchanges[instance.exchange];
  const CombinedRoute &route = exchange.combined[combined];
  double bytes = 0;
  for (const std::uint32_t message : route.messages)
    bytes += instance.bytes[message];
  const std::uint32_t number = exchange.open.at(instance.number) + combined;
  const double first = std::min(bytes, static_cast<double>(sharedFirstPart));
  instance.parts[combined] = bytes > first ? 2 : 1;
  ++count;
  sendPart(number, route, first, true);
  if (bytes > first)
    sendPart(number + static_cast<std::uint32_t>(exchange.combined.size()), route, bytes - first,
             false);
}

/// `expected`: the receive was posted long before.
void RoutedMessages::sendPart(std::uint32_t message, const CombinedRoute &route, double bytes,
                              bool expected) {
  const bool handshake = bytes > linkBetween(machine, route.from, route.to).eager_limit;
  if (handshake && expected)
    simulation.expect(message);
  simulation.send(message, route.from, route.to, bytes,
                  handshake ? Protocol::Handshake : Protocol::Eager);
  simulation.wakeWhenIn(message);
}

bool RoutedMessages::isCombined(std::uint32_t message) const {
  if (message < timeline.messages.size() || instances.empty())
    return false;
  const auto after = instances.upper_bound(message);
  if (after == instances.begin())
    return false;
  const auto &[first, instance] = *std::prev(after);
  return message - first < 2 * instance.positions.size();
}

void RoutedMessages::take(std::uint32_t message, std::size_t position) {
  const auto at = std::prev(instances.upper_bound(message));
  Instance &instance = at->second;
  Exchange &exchange = exchanges[instance.exchange];
  const auto size = static_cast<std::uint32_t>(exchange.combined.size());
  const std::uint32_t combined = (message - at->first) % size, number = at->first + combined;
  const CombinedRoute &route = exchange.combined[combined];
  if (message == number && instance.parts[combined] > 1) {
    instance.restPosted[combined] = static_cast<std::uint32_t>(position);
    simulation.post(number + size, route.to);
  }
  if (--instance.parts[combined] > 0)
    return;
  const double begun = simulation.causeOf(number).time;
  const double now = simulation.clock[route.to];
  for (const std::uint32_t arrivedMessage : route.messages)
    if (exchange.pairs[arrivedMessage].second == static_cast<int>(route.to))
      for (const std::uint32_t delivered : instance.contents[arrivedMessage]) {
        simulation.deliver(delivered, now, route.from, begun);
        causes[delivered] = instance.positions[combined];
      }
  for (const std::uint32_t next : route.feeds)
    arrived(instance, next, position);
  if (--instance.left > 0)
    return;
  simulation.releaseMessages(at->first, 2 * size);
  exchange.open.erase(instance.number);
  instances.erase(at);
}

std::uint32_t RoutedMessages::causePosition(std::uint32_t message) const {
  if (message < causes.size())
    return causes[message];
  const auto at = std::prev(instances.upper_bound(message));
  const Instance &instance = at->second;
  const std::size_t combined = (message - at->first) % instance.positions.size();
  return simulation.causeOf(message).lateReceiver ? instance.restPosted[combined]
                                                  : instance.positions[combined];
}

} // namespace sendwright
