// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way to rewrite a site, as a transformation proposes it. The choice compares candidates
// without knowing what is in them.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_CANDIDATE_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_CANDIDATE_H

#include "analysis/transformation/RankCountPlan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sendwright {

struct Candidate {
  std::string_view stem;       ///< of the transformation
  std::string name;            ///< for a table: "order, published key"
  std::string nameChosen = {}; ///< likewise, if it is chosen; empty: the same
  std::string_view means;      ///< "the order": ends "the whole run is predicted to end sooner by"
  double gain = 0;             ///< by its own model, seconds per execution
  double gainPercent = 0;
  std::string reason; ///< the plan's sentence if it is taken
  /// Puts the candidate into a plan, for the plan's site `site`, which must come after all sites
  /// that the plan has parts for.
  std::function<void(RankCountPlan &plan, std::uint32_t site)> addTo;
  /// Shows its figures in the site's plan, replacing another candidate's figures; may be empty.
  std::function<void(SitePlan &plan)> show = {};
};

} // namespace sendwright

#endif
