// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanForRankCount.h"

#include "analysis/file/FormatError.h"

namespace sendwright {

const RankCountPlan &planForRun(const Plan &plan, const std::string &planName, std::size_t ranks,
                                const std::string &runName) {
  const auto found = plan.rankCounts.find(static_cast<int>(ranks));
  if (found == plan.rankCounts.end())
    throw FormatError(planName + ": no plan for " + std::to_string(ranks) +
                      " ranks, expected one for as many as " + runName + " has");
  return found->second;
}

} // namespace sendwright
