// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/Sharing.h"

#include "analysis/file/ParallelTasks.h"
#include "analysis/sharing/search/GroupSelection.h"
#include "analysis/sharing/search/SenderSharing.h"
#include "analysis/sharing/search/StoreAndForward.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

double averageOf(const std::vector<std::int64_t> &counts) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  return counts.empty() ? 0 : sum / static_cast<double>(counts.size());
}

std::int64_t largestOf(const std::vector<std::int64_t> &counts) {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

PhaseCounters countersOf(const ExchangePattern &pattern, const SenderSharing &phase) {
  const std::vector<std::int64_t> destinations = distinctDestinations(pattern, phase.paths);
  return {largestOf(phase.counters), largestOf(destinations), averageOf(phase.counters),
          averageOf(destinations)};
}

void findPhases(const RouteJudge &judge, SharingAnalysis &analysis) {
  const ExchangePattern &pattern = judge.pattern;
  const SenderSharing phaseOne = shareCommonDestinations(pattern);
  analysis.phaseOne = judge.judge("Phase I", routesAlong(pattern, phaseOne.paths));
  analysis.phaseOneCounters = countersOf(pattern, phaseOne);
  const SenderSharing phaseTwo = shareWithLeastLoaded(pattern, phaseOne);
  analysis.phaseTwo = judge.judge("Phases I and II", routesAlong(pattern, phaseTwo.paths));
  analysis.phaseTwoCounters = countersOf(pattern, phaseTwo);
}

/// Calls `visit` with each method's routes, for a const or a mutable analysis.
template <class Analysis, class Visit> void everyMethod(Analysis &analysis, Visit visit) {
  visit(analysis.direct);
  visit(analysis.phaseOne);
  visit(analysis.phaseTwo);
  for (auto &routes : analysis.storeAndForward)
    visit(routes);
  for (auto &routes : analysis.groupSharing)
    visit(routes);
}

} // namespace

const SharedRoutes &SharingAnalysis::selected() const {
  const SharedRoutes *best = &direct;
  everyMethod(*this, [&](const SharedRoutes &routes) {
    if (routes.verified && routes.seconds < best->seconds)
      best = &routes;
  });
  return *best;
}

SharingAnalysis analyzeSharing(const ExchangePattern &pattern, const Machine &machine,
                               double bytesPerItem, SearchEffort effort) {
  const RouteJudge judge(pattern, machine, bytesPerItem);
  SharingAnalysis analysis;
  analysis.bounds = sharingBounds(pattern, machine);
  const auto grids =
      static_cast<std::size_t>(std::max(0, largestGridDimensions(pattern.ranks) - 1));
  analysis.storeAndForward.resize(grids);
  runTasks(grids + 2, [&](std::size_t task) {
    if (task == 0) {
      findPhases(judge, analysis);
    } else if (task == 1) {
      analysis.direct = judge.judge("direct", directRoutes(pattern));
    } else {
      const auto dimensions = static_cast<int>(task);
      analysis.storeAndForward[task - 2] =
          judge.judge("store-and-forward in " + std::to_string(dimensions) + " dimensions",
                      gridRoutes(pattern, gridExtents(pattern.ranks, dimensions)));
    }
  });
  analysis.groupSharing = shareInGroups(judge, analysis.storeAndForward, effort);
  return analysis;
}

SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem, SearchEffort effort) {
  SharingAnalysis analysis = analyzeSharing(pattern, machine, bytesPerItem, effort);
  const SharedRoutes *best = &analysis.selected();
  std::map<std::int32_t, SharedRoutes *> fastest; // by stages
  everyMethod(analysis, [&](SharedRoutes &routes) {
    if (!routes.verified || routes.seconds >= analysis.direct.seconds || &routes == best)
      return;
    SharedRoutes *&known = fastest[routes.table.stages];
    if (!known || routes.seconds < known->seconds)
      known = &routes;
  });
  SharingChoice choice{{}, {}, analysis.direct.seconds};
  for (const std::int32_t stages : {2, 3})
    if (const auto found = fastest.find(stages);
        found != fastest.end() && stages != best->table.stages)
      choice.others.push_back(std::move(*found->second));
  std::stable_sort(
      choice.others.begin(), choice.others.end(),
      [](const SharedRoutes &a, const SharedRoutes &b) { return a.seconds < b.seconds; });
  everyMethod(analysis, [&](SharedRoutes &routes) {
    if (&routes == best)
      choice.routes = std::move(routes);
  });
  return choice;
}

} // namespace sendwright
