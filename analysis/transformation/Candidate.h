// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way to rewrite a site, as a transformation proposes it. The choice compares candidates, and
// knows nothing of what is in them.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_CANDIDATE_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_CANDIDATE_H

#include "analysis/transformation/RankCountPlan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sendwright {

struct Candidate {
  std::string_view stem;       ///< of its transformation
  std::string name;            ///< for a table: "order, published key"
  std::string nameChosen = {}; ///< the same where it was chosen, if that is longer
  std::string_view means;      ///< "the order": ends "the whole run is predicted to end sooner by"
  double gain = 0;             ///< by its own model, seconds per execution
  double gainPercent = 0;
  std::string reason; ///< the plan's sentence where it is taken
  /// Puts it into a plan, for the plan's site `site`, which comes behind all sites that the plan
  /// has parts of.
  std::function<void(RankCountPlan &plan, std::uint32_t site)> addTo;
  /// Shows its figures in the site's plan, where another candidate's may be; may be empty.
  std::function<void(SitePlan &plan)> show = {};
};

} // namespace sendwright

#endif
