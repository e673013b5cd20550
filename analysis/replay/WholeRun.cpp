// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/WholeRun.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace sendwright {

namespace {

/// What occurrences of an event took besides the computation before it. The first one stands apart:
/// MPI sets up what it needs, and ranks have begun at different times.
struct SimulatedCost {
  double first = 0, others = 0; ///< seconds
  std::uint64_t count = 0;

  void add(double seconds) { (count++ == 0 ? first : others) += seconds; }
  /// Seconds of `all` occurrences, of which these are the first.
  double of(std::uint64_t all) const {
    if (count == 0 || all == 0)
      return 0;
    const double mean = count > 1 ? others / static_cast<double>(count - 1) : first;
    return first + static_cast<double>(all - 1) * mean;
  }
  double mean() const { return count > 0 ? (first + others) / static_cast<double>(count) : 0; }
};

double secondsOfRank(const RankTimeline &rank, const std::vector<double> &ends, double begun,
                     const std::vector<std::uint32_t> &placeOf) {
  std::vector<SimulatedCost> events(rank.work.size());
  double before = begun;
  for (std::size_t position = 0; position < ends.size(); ++position) {
    const std::uint32_t number = rank.numbers[position];
    events[number].add(std::max(ends[position] - before - rank.work[number], 0.0));
    before = ends[position];
  }
  std::map<std::uint32_t, SimulatedCost> places;
  for (std::size_t number = 0; number < events.size(); ++number) {
    SimulatedCost &place = places[placeOf[number]];
    place.others += events[number].first + events[number].others;
    place.count += events[number].count;
  }
  double seconds = 0;
  for (std::size_t number = 0; number < events.size(); ++number) {
    const std::uint64_t all = rank.count[number];
    const double mean = places[placeOf[number]].mean();
    seconds +=
        static_cast<double>(all) * rank.work[number] +
        (events[number].count > 0 ? events[number].of(all) : static_cast<double>(all) * mean);
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
