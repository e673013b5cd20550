// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns the hops of paths to stages.

#include "analysis/sharing/search/SenderSharing.h"

#include <algorithm>
#include <unordered_set>

namespace sendwright {

namespace {

class PathPlacement {
public:
  PathPlacement(std::int32_t ranks, std::int32_t stages) : ranks(ranks), stages(stages) {}

  std::vector<Hop> place(const RankPath &path) {
    placed = &path;
    fewest = path.size();
    chosen.clear();
    current.clear();
    tryStages(0, 0);
    std::vector<Hop> route;
    for (std::size_t hop = 0; hop < chosen.size(); ++hop) {
      used.insert(placeOf(chosen[hop], hop));
      route.push_back({chosen[hop], path[hop + 1]});
    }
    return route;
  }

private:
  std::uint64_t placeOf(std::int32_t stage, std::size_t hop) const {
    return (stage * ranks + (*placed)[hop]) * ranks + (*placed)[hop + 1];
  }

  /// Tries stages for the hops, from the first that has no stage yet; earliest stages first.
  void tryStages(std::int32_t earliest, std::size_t added) {
    const std::size_t hop = current.size(), hops = placed->size() - 1;
    if (added >= fewest)
      return;
    if (hop == hops) {
      fewest = added;
      chosen = current;
      return;
    }
    const std::int32_t latest = stages - static_cast<std::int32_t>(hops - hop);
    for (std::int32_t stage = earliest; stage <= latest; ++stage) {
      current.push_back(stage);
      tryStages(stage + 1, added + (used.contains(placeOf(stage, hop)) ? 0 : 1));
      current.pop_back();
    }
  }

  std::uint64_t ranks;
  std::int32_t stages;
  const RankPath *placed = nullptr;
  std::unordered_set<std::uint64_t> used; ///< stage, sender and receiver of combined messages
  std::vector<std::int32_t> current, chosen;
  std::size_t fewest = 0; ///< new combined messages of `chosen`; one more than there are hops
                          ///< before any are found
};

} // namespace

RouteTable routesAlong(const ExchangePattern &pattern, const std::vector<RankPath> &paths) {
  std::size_t longest = 1;
  for (const RankPath &path : paths)
    longest = std::max(longest, path.size() - 1);
  RouteTable table{static_cast<std::int32_t>(longest), {}};
  table.routes.resize(paths.size());
  PathPlacement placement(pattern.ranks, table.stages);
  for (std::size_t hops = longest; hops > 0; --hops)
    for (std::size_t message = 0; message < paths.size(); ++message)
      if (paths[message].size() == hops + 1)
        table.routes[message] = placement.place(paths[message]);
  return table;
}

std::vector<std::int64_t> distinctDestinations(const ExchangePattern &pattern,
                                               const std::vector<RankPath> &paths) {
  std::vector<std::vector<std::int32_t>> destinations(pattern.ranks);
  for (const RankPath &path : paths)
    for (std::size_t hop = 1; hop < path.size(); ++hop)
      destinations[path[hop - 1]].push_back(path[hop]);
  std::vector<std::int64_t> counts;
  for (std::vector<std::int32_t> &of : destinations) {
    std::sort(of.begin(), of.end());
    counts.push_back(std::unique(of.begin(), of.end()) - of.begin());
  }
  return counts;
}

} // namespace sendwright
