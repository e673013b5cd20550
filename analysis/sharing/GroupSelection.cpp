// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/GroupSelection.h"

#include "analysis/sharing/ArcElimination.h"
#include "analysis/sharing/GroupSharing.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sendwright {

namespace {

/// Ranks looked at in all searches together, per rank of the pattern (ArcElimination.h): about a
/// second for 512 ranks.
constexpr std::uint64_t effortPerRank = 16000;

struct SearchedRoutes {
  RouteTable table;
  double seconds = 0;
};

class GroupSelection {
public:
  GroupSelection(const RouteJudge &judge, const std::vector<SharedRoutes> &grids)
      : judge(judge), grids(grids), weights(loadWeights(judge.machine, judge.bytesPerItem)),
        effort(effortPerRank * judge.pattern.ranks) {}

  std::vector<SharedRoutes> run() {
    std::map<std::int32_t, SearchedRoutes> best; // by stages
    const std::vector<RouteTable> starts = findStarts();
    for (const RouteTable &start : starts) {
      SearchedRoutes found = search(start, LoadPower::Fourth, effort / (2 * starts.size()));
      const auto [at, isNew] = best.try_emplace(start.stages);
      if (isNew || found.seconds < at->second.seconds)
        at->second = std::move(found);
    }
    std::vector<SharedRoutes> result;
    for (auto &[stages, found] : best) {
      improve(found, effort / (2 * best.size()));
      result.push_back(judge.judge("group sharing in " + std::to_string(stages) + " stages",
                                   std::move(found.table)));
    }
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
    const auto fastest = std::min_element(
        grids.begin(), grids.end(),
        [](const SharedRoutes &a, const SharedRoutes &b) { return a.seconds < b.seconds; });
    for (auto grid = grids.begin(); grid != grids.end(); ++grid)
      if (const std::int32_t stages = grid->table.stages;
          stages <= 3 || (grid == fastest && stages <= mostStagesSearched))
        starts.push_back(grid->table);
    return starts;
  }

  /// The better of the start and what is found from it.
  SearchedRoutes search(const RouteTable &start, LoadPower power, std::uint64_t within) const {
    SearchedRoutes found{eliminateArcs(judge.pattern, start, weights, power, within), 0};
    found.seconds = judge.secondsOf(found.table);
    if (const double seconds = judge.secondsOf(start); seconds < found.seconds)
      found = {start, seconds};
    return found;
  }

  void improve(SearchedRoutes &found, std::uint64_t within) const {
    for (const LoadPower power : {LoadPower::Fourth, LoadPower::Eighth})
      found = search(found.table, power, within / 2);
  }

  /// More ranks can be reached in more stages, and looking at them takes long.
  static constexpr int mostStagesSearched = 5;

  const RouteJudge &judge;
  const std::vector<SharedRoutes> &grids;
  LoadWeights weights;
  std::uint64_t effort;
};

} // namespace

std::vector<SharedRoutes> shareInGroups(const RouteJudge &judge,
                                        const std::vector<SharedRoutes> &grids) {
  if (judge.pattern.ranks < 3)
    return {};
  return GroupSelection(judge, grids).run();
}

} // namespace sendwright
