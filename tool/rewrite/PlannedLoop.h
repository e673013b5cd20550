// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says of one loop.

#ifndef SENDWRIGHT_TOOL_REWRITE_PLANNEDLOOP_H
#define SENDWRIGHT_TOOL_REWRITE_PLANNEDLOOP_H

#include "analysis/plan/Plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// What one rank count's plan says of a site, in a template of one instantiation of it.
struct PlannedLoop {
  int ranks = 0;
  const RankCountPlan *plan = nullptr;
  std::uint32_t index = 0; ///< of the site in the plan
  const SitePlan &site() const { return plan->sites[index]; }
  bool rewrites() const { return site().decision == Decision::Rewrite; }
  /// Whether the transformation of this stem is to rewrite it.
  bool rewrittenBy(std::string_view stem) const {
    return rewrites() && site().transformation == stem;
  }
};

/// What the plan says of a loop, by rank count.
std::vector<PlannedLoop> findInPlan(const Plan &plan, const SiteIdentity &identity);

/// " on 8 ranks" where the plan has several rank counts.
std::string ranksNote(const PlannedLoop &planned, const Plan &plan);

/// "predicted gain 12.3 us (22.6 %) per execution".
std::string gainOf(const SitePlan &site);

} // namespace sendwright

#endif
