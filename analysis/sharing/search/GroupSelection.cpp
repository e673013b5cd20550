// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/GroupSelection.h"

#include "analysis/file/ParallelTasks.h"
#include "analysis/file/Progress.h"
#include "analysis/sharing/search/ArcElimination.h"
#include "analysis/sharing/search/GroupSharing.h"
#include "analysis/sharing/search/NodeAggregation.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace sendwright {

namespace {

/// Ranks visited in all searches together, for each rank of the pattern (ArcElimination.h): less
/// than a second for 512 ranks. A third goes to the short searches from all starts.
constexpr std::uint64_t effortPerRank = 30000;
/// A thorough search may visit this many times as many.
constexpr std::uint64_t thoroughFactor = 3;
/// Beyond this many ranks, the effort for each rank falls as their number grows: work that is not
/// counted, such as looking up arcs, then takes as long as the search.
constexpr std::uint64_t ranksOfMostEffort = 4096;

std::uint64_t effortFor(std::uint64_t ranks) {
  return effortPerRank *
         (ranks <= ranksOfMostEffort ? ranks : ranksOfMostEffort * ranksOfMostEffort / ranks);
}

struct SearchedRoutes {
  RouteTable table;
  double seconds = 0;
};

class GroupSelection {
public:
  GroupSelection(const RouteJudge &judge, const std::vector<SharedRoutes> &grids,
                 SearchEffort effort)
      : judge(judge), grids(grids), weights(loadWeights(judge.machine, judge.bytesPerItem)),
        thorough(effort == SearchEffort::Thorough),
        effort(effortFor(static_cast<std::uint64_t>(judge.pattern.ranks)) *
               (thorough ? thoroughFactor : 1)) {}

  std::vector<SharedRoutes> run() {
    std::map<std::int32_t, SearchedRoutes> best = searchFromStarts(); // by stages
    double shortest = best.begin()->second.seconds;
    for (const auto &[stages, found] : best)
      shortest = std::min(shortest, found.seconds);
    for (const SharedRoutes &grid : grids)
      shortest = std::min(shortest, grid.seconds);
    const auto promising = [&](const auto &entry) {
      return entry.second.seconds <= shortest * worthTrying;
    };
    const auto count = std::count_if(best.begin(), best.end(), promising);
    std::vector<std::pair<const std::int32_t, SearchedRoutes> *> entries;
    entries.reserve(best.size());
    for (auto &entry : best)
      entries.push_back(&entry);
    std::vector<SharedRoutes> result(entries.size());
    runTasks(entries.size(), [&](std::size_t number) {
      auto &[stages, found] = *entries[number];
      if (promising(*entries[number]))
        for (const LoadPower power : {LoadPower::Fourth, LoadPower::Eighth})
          search(found, power, effort / 3 / count);
      result[number] = judge.judge("group sharing in " + std::to_string(stages) + " stages",
                                   std::move(found.table));
    });
    return result;
  }

private:
  std::vector<RouteTable> findStarts() const {
    const std::int32_t ranks = judge.pattern.ranks;
    std::set<std::int32_t> sizes = {1, 4, 8, 16};
    if (judge.machine.ranks_per_node > 1)
      sizes.insert(judge.machine.ranks_per_node);
    std::vector<RouteTable> starts;
    for (std::int32_t size : sizes)
      if (size < ranks)
        starts.push_back(groupRoutes(judge.pattern, size));
    std::set<std::int32_t> regions;
    if (thorough) // aggregation also helps where all ranks are equally far from one another
      regions = {4, 8, 16};
    if (judge.machine.ranks_per_node > 1)
      regions.insert(judge.machine.ranks_per_node);
    for (const std::int32_t region : regions)
      if (region < ranks)
        starts.push_back(aggregateByNodes(judge.pattern, region));
    const auto fastest = std::min_element(
        grids.begin(), grids.end(),
        [](const SharedRoutes &a, const SharedRoutes &b) { return a.seconds < b.seconds; });
    for (auto grid = grids.begin(); grid != grids.end(); ++grid)
      if (const std::int32_t stages = grid->table.stages;
          stages <= 3 || (grid == fastest && stages <= mostStagesSearched))
        starts.push_back(grid->table);
    return starts;
  }

  std::map<std::int32_t, SearchedRoutes> searchFromStarts() const {
    std::map<std::int32_t, SearchedRoutes> best;
    const std::vector<RouteTable> starts = findStarts();
    Progress progress("searches", starts.size());
    std::mutex mutex;
    std::map<std::int32_t, std::size_t> startOfBest; // by stages: of equally fast, the first
    runTasks(starts.size(), [&](std::size_t number) {
      const RouteTable &start = starts[number];
      SearchedRoutes found{start, judge.secondsOf(start)};
      search(found, LoadPower::Fourth, effort / 3 / starts.size());
      const std::lock_guard lock(mutex);
      const auto [at, isNew] = best.try_emplace(start.stages);
      std::size_t &known = startOfBest[start.stages];
      if (isNew || std::pair(found.seconds, number) < std::pair(at->second.seconds, known)) {
        at->second = std::move(found);
        known = number;
      }
      progress.advance();
    });
    return best;
  }

  /// Keeps what the search finds if it is faster.
  void search(SearchedRoutes &routes, LoadPower power, std::uint64_t within) const {
    SearchedRoutes found{eliminateArcs(judge.pattern, routes.table, weights, power, within), 0};
    found.seconds = judge.secondsOf(found.table);
    if (found.seconds <= routes.seconds)
      routes = std::move(found);
  }

  /// Routes slower than the fastest by more than this factor are not searched further.
  static constexpr double worthTrying = 1.25;
  /// With more stages more ranks are reachable, and visiting them takes long.
  static constexpr int mostStagesSearched = 5;

  const RouteJudge &judge;
  const std::vector<SharedRoutes> &grids;
  LoadWeights weights;
  bool thorough;
  std::uint64_t effort;
};

} // namespace

std::vector<SharedRoutes> shareInGroups(const RouteJudge &judge,
                                        const std::vector<SharedRoutes> &grids,
                                        SearchEffort effort) {
  if (judge.pattern.ranks < 3)
    return {};
  return GroupSelection(judge, grids, effort).run();
}

} // namespace sendwright
