// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/RoutesByTurns.h"

#include <cstring>
#include <utility>

namespace sendwright::exchange {

void RoutesByTurns::add(Routes &routes) {
  const auto exchange = static_cast<std::uint32_t>(routes.exchange());
  ofExchange[exchange] = &routes;
  routes.forEachOwn([&](const SharedMessage &message, const FirstHop &) {
    turns.addOwn(exchange, message.destination, message.tags);
  });
}

void RoutesByTurns::open() {
  close();
  isOpen = true;
}

const FirstHop *RoutesByTurns::hopOf(const Target &target, int tag) const {
  if (isOpen)
    for (const auto &[exchange, routes] : ofExchange)
      if (const FirstHop *hop = target.hopInto(*routes, tag))
        return hop;
  return nullptr;
}

std::byte *RoutesByTurns::capture(const Target &target, const FirstHop &hop, const Record &record) {
  const std::size_t at = bytes.size();
  kept.reserve(kept.size() + 1);
  bytes.resize(at + padded(record.bytes));
  kept.push_back({&target, &hop, record, at});
  return bytes.data() + at;
}

/// The routes that the execution belongs to, or null.
Routes *RoutesByTurns::nextRoutes() {
  std::vector<SentEnvelope> sent;
  sent.reserve(kept.size());
  for (const Kept &message : kept)
    sent.push_back({message.target->worldRank, message.record.tag});
  const auto found = ofExchange.find(turns.take(sent));
  return found == ofExchange.end() ? nullptr : found->second;
}

void RoutesByTurns::pass(const Kept &message, Routes *routes) {
  const std::span<const std::byte> content(bytes.data() + message.at, message.record.bytes);
  const FirstHop *hop = routes ? routes->hopOf(*message.target, message.record.tag) : nullptr;
  if (!hop)
    return straight(*message.hop->routes->communicator, *message.target, message.record, content);
  std::byte *room = routes->capture(*message.target, *hop, message.record);
  if (!content.empty())
    std::memcpy(room, content.data(), content.size());
}

void RoutesByTurns::close() {
  if (!isOpen)
    return;
  isOpen = false;
  Routes *routes = nextRoutes();
  if (routes)
    routes->open();
  for (const Kept &message : kept)
    pass(message, routes);
  kept.clear();
  bytes.clear();
  if (routes)
    routes->close();
}

} // namespace sendwright::exchange
