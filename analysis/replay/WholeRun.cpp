// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/WholeRun.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace sendwright {

namespace {

/// What occurrences of an event took besides the computation before it.
struct SimulatedCost {
  double seconds = 0;
  std::uint64_t count = 0;
  double mean() const { return count > 0 ? seconds / static_cast<double>(count) : 0; }
};

double secondsOfRank(const RankTimeline &rank, const std::vector<double> &ends, double begun,
                     const std::vector<std::uint32_t> &placeOf) {
  std::vector<SimulatedCost> events(rank.work.size());
  double before = begun;
  for (std::size_t position = 0; position < ends.size(); ++position) {
    const std::uint32_t number = rank.numbers[position];
    events[number].seconds += std::max(ends[position] - before - rank.work[number], 0.0);
    ++events[number].count;
    before = ends[position];
  }
  std::map<std::uint32_t, SimulatedCost> places;
  for (std::size_t number = 0; number < events.size(); ++number) {
    SimulatedCost &place = places[placeOf[number]];
    place.seconds += events[number].seconds;
    place.count += events[number].count;
  }
  double seconds = 0;
  for (std::size_t number = 0; number < events.size(); ++number) {
    const SimulatedCost &cost = events[number].count > 0 ? events[number] : places[placeOf[number]];
    seconds += static_cast<double>(rank.count[number]) * (rank.work[number] + cost.mean());
  }
  return seconds;
}

} // namespace

double secondsOfWholeRun(const Timeline &timeline, const std::vector<std::vector<double>> &ends,
                         double begun, const std::vector<std::vector<std::uint32_t>> &placeOf) {
  double most = 0;
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    most = std::max(most, secondsOfRank(timeline.ranks[rank], ends[rank], begun, placeOf[rank]));
  return most;
}

} // namespace sendwright
