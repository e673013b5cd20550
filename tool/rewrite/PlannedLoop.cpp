// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/rewrite/PlannedLoop.h"

#include <cmath>
#include <cstdio>

namespace sendwright {

namespace {

std::string oneDecimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// In the unit that keeps the number small.
std::string duration(double seconds) {
  const double magnitude = std::abs(seconds);
  if (magnitude < 1e-3)
    return oneDecimal(seconds * 1e6) + " us";
  return magnitude < 1 ? oneDecimal(seconds * 1e3) + " ms" : oneDecimal(seconds) + " s";
}

} // namespace

std::vector<PlannedLoop> findInPlan(const Plan &plan, const SiteIdentity &identity) {
  std::vector<PlannedLoop> found;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (std::uint32_t index = 0; index < rankCount.sites.size(); ++index)
      if (rankCount.sites[index].site.sameLoopAs(identity))
        found.push_back({ranks, &rankCount, index});
  return found;
}

std::string ranksNote(const PlannedLoop &planned, const Plan &plan) {
  return plan.rankCounts.size() > 1 ? " on " + std::to_string(planned.ranks) + " ranks" : "";
}

std::string gainOf(const SitePlan &site) {
  return "predicted gain " + duration(site.gain) + " (" + oneDecimal(site.gainPercent) +
         " %) per execution";
}

} // namespace sendwright
