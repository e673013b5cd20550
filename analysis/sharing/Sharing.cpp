// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/Sharing.h"

#include "analysis/sharing/RouteSimulation.h"
#include "analysis/sharing/StoreAndForward.h"

#include <utility>

namespace sendwright {

namespace {

/// Judges the routes of one method after another.
class RouteJudge {
public:
  RouteJudge(const ExchangePattern &pattern, const Machine &machine, double bytesPerItem)
      : pattern(pattern), machine(machine), bytesPerItem(bytesPerItem) {}

  SharedRoutes judge(std::string method, RouteTable table) const {
    SharedRoutes routes{std::move(method), std::move(table), {}, 0, false};
    routes.verified = simulateRoutes(pattern, routes.table).empty();
    const std::vector<CombinedMessage> messages = combinedMessages(pattern, routes.table);
    routes.figures = sharingFigures(pattern, routes.table, messages);
    routes.seconds = predictSeconds(messages, pattern.ranks, machine, bytesPerItem);
    return routes;
  }

private:
  const ExchangePattern &pattern;
  const Machine &machine;
  double bytesPerItem;
};

} // namespace

SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem) {
  const RouteJudge judge(pattern, machine, bytesPerItem);
  SharingChoice choice;
  choice.routes = judge.judge("direct", directRoutes(pattern));
  choice.directSeconds = choice.routes.seconds;
  for (int dimensions = 2; dimensions <= largestGridDimensions(pattern.ranks); ++dimensions) {
    SharedRoutes routes =
        judge.judge("store-and-forward in " + std::to_string(dimensions) + " dimensions",
                    gridRoutes(pattern, gridExtents(pattern.ranks, dimensions)));
    if (routes.verified && routes.seconds < choice.routes.seconds)
      choice.routes = std::move(routes);
  }
  return choice;
}

} // namespace sendwright
