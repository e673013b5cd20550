// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of a plan with several exchanges, at one rank: each execution is an instance of one of
// them, or of none (analysis/sharing/ExchangeTurns.h).

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTESBYTURNS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTESBYTURNS_H

#include "analysis/sharing/ExchangeTurns.h"
#include "runtime/sharing/planned/KeptMessages.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sendwright::exchange {

class RoutesByTurns final : public KeptMessages {
public:
  RoutesByTurns(const ExchangeTurns &turns, Straight straight)
      : KeptMessages(std::move(straight)), turns(turns) {}

  /// The routes of one of the exchanges, which must outlive it.
  void add(Routes &routes);

private:
  Routes *choose(const std::vector<Kept> &sent) override;

  TurnsOfRank turns;
  std::map<std::uint32_t, Routes *> ofExchange;
};

} // namespace sendwright::exchange

#endif
