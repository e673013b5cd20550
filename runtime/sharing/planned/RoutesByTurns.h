// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with several exchanges at one rank: each execution is an instance of one of them, or of
// none (analysis/sharing/ExchangeTurns.h). Which one is known when the execution is over, by what
// it has sent: until then its messages are kept here.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTESBYTURNS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ROUTESBYTURNS_H

#include "analysis/sharing/ExchangeTurns.h"
#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace sendwright::exchange {

class RoutesByTurns final : public RouteTaker {
public:
  /// Gets messages that go directly: the record, and its bytes.
  using Straight = std::function<void(const SharedCommunicator &communicator, const Target &target,
                                      Record record, std::span<const std::byte> bytes)>;

  RoutesByTurns(const ExchangeTurns &turns, Straight straight)
      : turns(turns), straight(std::move(straight)) {}
  RoutesByTurns(const RoutesByTurns &) = delete;
  RoutesByTurns &operator=(const RoutesByTurns &) = delete;

  /// The routes of one of the exchanges, which must outlive it.
  void add(Routes &routes);

  void open() override;
  void close() override;
  bool holdsAny() const override { return isOpen && !kept.empty(); }
  const FirstHop *hopOf(const Target &target, int tag) const override;
  std::byte *capture(const Target &target, const FirstHop &hop, const Record &record) override;

private:
  struct Kept {
    const Target *target = nullptr;
    const FirstHop *hop = nullptr; ///< into any of the exchanges
    Record record;
    std::size_t at = 0; ///< of its bytes
  };
  Routes *nextRoutes();
  void pass(const Kept &message, Routes *routes);

  TurnsOfRank turns;
  Straight straight;
  std::map<std::uint32_t, Routes *> ofExchange;
  std::vector<Kept> kept;
  std::vector<std::byte> bytes; ///< of the kept messages
  bool isOpen = false;
};

} // namespace sendwright::exchange

#endif
