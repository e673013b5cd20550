// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan for one number of ranks: the decision for each site, and what each transformation keeps.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_RANKCOUNTPLAN_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_RANKCOUNTPLAN_H

#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

enum class Decision : std::uint8_t { Leave, Rewrite };

/// A site's decision. Its parts hold what each transformation says about the site, whichever is
/// taken.
struct SitePlan : PlanParts {
  SiteIdentity site;
  Decision decision = Decision::Leave;
  std::string transformation; ///< stem of the transformation that is taken; empty if left alone
  std::string reason;         ///< one sentence for the remark and for `plan`
  double gain = 0;            ///< predicted, seconds per execution (given - planned)
  double gainPercent = 0;     ///< of `given`
  std::uint64_t executions = 0, sends = 0, bytes = 0; ///< in the profile, over all ranks
};

/// Its parts hold what each transformation does at the sites that it rewrites, and what it does
/// elsewhere.
struct RankCountPlan : PlanParts {
  std::string profile; ///< the profile's file name, for messages
  std::vector<SitePlan> sites;
};

/// A rank's own entry in a list by rank, where a part has that entry alone; empty if it has none.
template <typename Entry>
const std::vector<Entry> &ownEntry(const std::vector<std::vector<Entry>> &ranks) {
  static const std::vector<Entry> none;
  return ranks.empty() ? none : ranks.front();
}

} // namespace sendwright

#endif
