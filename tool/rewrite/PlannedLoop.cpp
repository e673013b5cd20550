// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/rewrite/PlannedLoop.h"

#include "analysis/file/FigureText.h"

namespace sendwright {

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
  return "predicted gain " + gainText(site.gain) +
         formatted(" (%.1f %%) per execution", site.gainPercent);
}

} // namespace sendwright
