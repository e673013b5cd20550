// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/RouteJudge.h"

#include "analysis/sharing/routes/RouteSimulation.h"

#include <utility>

namespace sendwright {

SharedRoutes RouteJudge::judge(std::string method, RouteTable table) const {
  SharedRoutes routes{std::move(method), std::move(table), {}, 0, false};
  routes.verified = simulateRoutes(pattern, routes.table).empty();
  const std::vector<CombinedMessage> messages = combinedMessages(pattern, routes.table);
  routes.figures = sharingFigures(pattern, routes.table, messages);
  routes.seconds = predictSeconds(messages, pattern.ranks, machine, bytesPerItem);
  return routes;
}

double RouteJudge::secondsOf(const RouteTable &table) const {
  return predictSeconds(combinedMessages(pattern, table), pattern.ranks, machine, bytesPerItem);
}

} // namespace sendwright
