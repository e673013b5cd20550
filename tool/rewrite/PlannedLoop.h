// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says about one loop.

#ifndef SENDWRIGHT_TOOL_REWRITE_PLANNEDLOOP_H
#define SENDWRIGHT_TOOL_REWRITE_PLANNEDLOOP_H

#include "analysis/plan/Plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// What the plan for one number of ranks says about a site; in a template, about one instantiation.
struct PlannedLoop {
  int ranks = 0;
  const RankCountPlan *plan = nullptr;
  std::uint32_t index = 0; ///< of the site in the plan
  const SitePlan &site() const { return plan->sites[index]; }
  bool rewrites() const { return site().decision == Decision::Rewrite; }
  /// Whether the transformation with this stem rewrites the loop.
  bool rewrittenBy(std::string_view stem) const {
    return rewrites() && site().transformation == stem;
  }
};

/// What the plan says about a loop, for each number of ranks.
std::vector<PlannedLoop> findInPlan(const Plan &plan, const SiteIdentity &identity);

/// " on 8 ranks" where the plan has several numbers of ranks, else "".
std::string ranksNote(const PlannedLoop &planned, const Plan &plan);

/// "predicted gain 12.3 us (22.6 %) per execution".
std::string gainOf(const SitePlan &site);

} // namespace sendwright

#endif
