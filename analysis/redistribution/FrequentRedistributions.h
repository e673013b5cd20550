// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions between which a program's redistribute directives usually move arrays. The
// plugin computes schedules for these, so that the runtime need not.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_FREQUENTREDISTRIBUTIONS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_FREQUENTREDISTRIBUTIONS_H

#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sendwright {

/// The part of a plan for one number of ranks that belongs to redistribution.
struct PlannedRedistributions : PlanPartOf<PlannedRedistributions> {
  static constexpr std::string_view partName = "redistributions";
  std::vector<RecordedRedistribution> frequent; ///< the most frequent pairs of each directive
};

/// Pairs of one directive that are worth a table. A longer table would take too long to search at
/// every call.
inline constexpr std::size_t mostPairsOfDirective = 4;

/// The most frequent pairs of each directive, over all ranks of the profile: directives by file and
/// line, their pairs by count and then by sizes. O(pairs log pairs) comparisons of pairs.
std::vector<RecordedRedistribution> frequentRedistributions(const Profile &profile);

} // namespace sendwright

#endif
