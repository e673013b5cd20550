// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/RoutesByTurns.h"

namespace sendwright::exchange {

void RoutesByTurns::add(Routes &routes) {
  const auto exchange = static_cast<std::uint32_t>(routes.exchange());
  ofExchange[exchange] = &routes;
  all.push_back(&routes);
  routes.forEachOwn([&](const SharedMessage &message, const FirstHop &) {
    turns.addOwn(exchange, message.destination, message.tags);
  });
}

Routes *RoutesByTurns::choose(const std::vector<Kept> &sent) {
  std::vector<SentEnvelope> envelopes;
  envelopes.reserve(sent.size());
  for (const Kept &message : sent)
    envelopes.push_back({message.target->worldRank, message.record.tag});
  const auto found = ofExchange.find(turns.take(envelopes));
  return found == ofExchange.end() ? nullptr : found->second;
}

} // namespace sendwright::exchange
