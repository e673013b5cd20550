// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanContradictions.h"

#include "analysis/file/FormatError.h"
#include "analysis/plan/KnownSections.h"

#include <vector>

namespace sendwright {

namespace {

/// The decision for a site must agree with what ranks have for it.
std::optional<std::string> contradictionInDecision(const SitePlan &site) {
  if (site.decision == Decision::Leave && !site.transformation.empty())
    return "the plan leaves it, but applies '" + site.transformation + "' to it";
  if (site.decision == Decision::Rewrite && !knownSectionsOf(site.transformation))
    return "the plan applies '" + site.transformation + "', which is not a transformation";
  return {};
}

/// `contents`: the transformations whose sections are there.
std::optional<std::string> contradictionInSites(const RankCountPlan &plan, int rankCount,
                                                const std::vector<const PlanSections *> &contents) {
  std::vector<std::vector<char>> marked(contents.size(), std::vector<char>(plan.sites.size()));
  for (std::size_t index = 0; index < contents.size(); ++index)
    if (std::optional<std::string> problem =
            contents[index]->markSites(plan, rankCount, marked[index]))
      return problem;
  for (std::uint32_t site = 0; site < plan.sites.size(); ++site) {
    const SitePlan &decided = plan.sites[site];
    std::optional<std::string> problem = contradictionInDecision(decided);
    for (std::size_t index = 0; index < contents.size() && !problem; ++index)
      problem =
          contents[index]->contradictionAt(plan, site,
                                           decided.decision == Decision::Rewrite &&
                                               decided.transformation == contents[index]->stem(),
                                           marked[index][site] != 0);
    if (problem)
      return siteName(plan, site) + *problem;
  }
  return {};
}

} // namespace

std::optional<std::string>
contradictionInContents(const RankCountPlan &plan, int rankCount,
                        const std::vector<const PlanSections *> &contents) {
  if (std::optional<std::string> problem = contradictionInSites(plan, rankCount, contents))
    return problem;
  for (const PlanSections *content : contents)
    if (std::optional<std::string> problem = content->contradictionAmongRanks(plan, rankCount))
      return problem;
  return {};
}

std::optional<std::string> contradictionIn(const RankCountPlan &plan, int rankCount) {
  return contradictionInContents(plan, rankCount, knownSections());
}

void refuseContradictions(const Plan &plan, const std::string &name) {
  for (const auto &[rankCount, part] : plan.rankCounts)
    if (const std::optional<std::string> problem = contradictionIn(part, rankCount))
      throw FormatError(name + ": contradicts itself for " + std::to_string(rankCount) +
                        " ranks: " + *problem);
}

} // namespace sendwright
