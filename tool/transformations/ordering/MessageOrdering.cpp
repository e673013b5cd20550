// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: a send loop whose messages leave in the order of the plan. The batch around the
// loop (LoopTransformation.h) holds its sends back and issues them in planned order at the end;
// this file gives the text about it.

#include "analysis/ordering/PlannedOrders.h"
#include "tool/rewrite/LoopTransformation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sendwright {

namespace {

/// "max c'_p 31 -> 24 sends (lower bound 24)", or the rounds if messages are large.
std::string figuresOf(const OrderingFigures &figures) {
  if (figures.key == staggeredKey)
    return "staggered rounds, " +
           (figures.window == 0
                ? "no limit on messages"
                : std::to_string(figures.window) + " message" + (figures.window == 1 ? "" : "s")) +
           " in flight";
  const auto sends = [&](double seconds) {
    return std::to_string(std::llround(figures.unit > 0 ? seconds / figures.unit : 0));
  };
  return "max c'_p " + sends(figures.given) + " -> " + sends(figures.planned) +
         " sends (lower bound " + sends(figures.lowerBound) + ")";
}

/// The order of each rank's most frequent pattern, for as many ranks as a reader wants to see.
void listOrders(const PlannedLoop &planned, std::vector<std::string> &lines) {
  constexpr std::size_t shownRanks = 4, shownDestinations = 16;
  std::size_t shown = 0;
  for (std::size_t rank = 0; rank < planned.plan->of<PlannedOrders>().ranks.size(); ++rank)
    for (const RankSite &site : planned.plan->of<PlannedOrders>().ranks[rank]) {
      if (site.site != planned.index || site.orders.empty())
        continue;
      if (shown++ == shownRanks) {
        lines.push_back("...");
        return;
      }
      const std::vector<int> &order = site.orders.front().destinations;
      std::string line = "rank " + std::to_string(rank) + " sends to";
      for (std::size_t k = 0; k < std::min(order.size(), shownDestinations); ++k)
        line += " " + std::to_string(order[k]);
      lines.push_back(line + (order.size() > shownDestinations ? " ..." : ""));
    }
}

std::string describeOrdering(const SitePlan &site) {
  // The phase in which the order gains most; of several such phases, the longest.
  const auto weight = [](const OrderingFigures &figures) {
    return std::pair(figures.given - figures.planned, figures.given);
  };
  const std::vector<OrderingFigures> &all = site.of<SiteOrdering>().figures;
  const auto shown =
      std::max_element(all.begin(), all.end(), [&](const auto &left, const auto &right) {
        return weight(left) < weight(right);
      });
  if (shown == all.end())
    return gainOf(site);
  const bool replayed = site.gain == 0 && shown->planned == shown->given;
  return figuresOf(*shown) + ", " +
         (replayed ? "predicted to gain in the whole run" : gainOf(site));
}

void explainOrdering(const PlannedLoop &planned, std::vector<std::string> &lines) {
  for (const OrderingFigures &figures : planned.site().of<SiteOrdering>().figures) {
    if (!figures.phase.empty())
      lines.push_back(figures.phase + "; key: " + figures.key);
    if (!figures.reason.empty())
      lines.push_back(figures.reason);
  }
  if (!planned.site().reason.empty())
    lines.push_back(planned.site().reason);
  listOrders(planned, lines);
}

} // namespace

extern const LoopTransformation loopTransformationMessageOrdering;
const LoopTransformation loopTransformationMessageOrdering = {"message-ordering", "reordered",
                                                              describeOrdering, explainOrdering};

} // namespace sendwright
