// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/CriticalPath.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

/// Shorter times, relative to when they end, are what adding up left.
constexpr double roundingError = 1e-12;

bool communicates(const Event &event) {
  return event.kind == EventKind::Call || event.kind == EventKind::Redistribution;
}

class PathWalk {
public:
  PathWalk(const Timeline &timeline, const std::vector<std::vector<std::uint32_t>> &placeOf,
           const std::vector<std::vector<double>> &ends, RunSimulation &run)
      : timeline(timeline), placeOf(placeOf), ends(ends), run(run) {}

  /// What the rank did from `begin`, in the event at `from` or before it, to `end`, in the event at
  /// `to`. `waited`: the stay begins with the end of a wait in the event at `from`.
  void stay(std::uint32_t rank, double begin, double end, std::size_t from, bool waited,
            std::size_t to) {
    const RankTimeline &events = timeline.ranks[rank];
    if (events.size() == 0)
      return;
    to = std::max(from, positionAt(rank, end, std::min(to, events.size() - 1)));
    double time = begin, computed = 0;
    for (std::size_t position = from; position <= to; ++position) {
      const std::uint32_t number = events.numbers[position];
      const double until = position < to ? std::clamp(endOf(rank, position), time, end) : end;
      const bool computes = position > from || !waited;
      const double work = computes ? std::clamp(events.work[number], 0.0, until - time) : 0;
      SimulatedPlace &place = run.places[placeOf[rank][number]];
      computed += work;
      // Computation belongs to the call that follows it.
      if (position == to || communicates(events.at(position)))
        place.pathComputation += std::exchange(computed, 0);
      // A loop that issues what it has held takes time, too.
      if (const double overhead = until - time - work; overhead > roundingError * end)
        place.pathOverhead += overhead;
      time = until;
    }
    while (to > from && !communicates(events.at(to)))
      --to;
    run.path.push_back({rank, begin, end, placeOf[rank][events.numbers[to]]});
  }

  void travel(std::uint32_t rank, std::size_t position, double seconds) {
    const std::uint32_t number = timeline.ranks[rank].numbers[position];
    run.places[placeOf[rank][number]].pathNetwork += seconds;
  }

private:
  /// The end of an event; of an event that never ends, the end of the run.
  double endOf(std::size_t rank, std::size_t position) const {
    return position < ends[rank].size() ? ends[rank][position] : run.seconds;
  }

  /// The position of the event that the rank is in at this time: `likely`, or a later event, which
  /// issues what the event at `likely` sends.
  std::size_t positionAt(std::size_t rank, double time, std::size_t likely) const {
    const std::size_t last = timeline.ranks[rank].size() - 1;
    while (likely < last && endOf(rank, likely) < time)
      ++likely;
    return likely;
  }

  const Timeline &timeline;
  const std::vector<std::vector<std::uint32_t>> &placeOf;
  const std::vector<std::vector<double>> &ends;
  RunSimulation &run;
};

} // namespace

void followCriticalPath(const Timeline &timeline, const std::vector<std::vector<PathJoin>> &joins,
                        const std::vector<std::vector<double>> &ends,
                        const std::vector<std::vector<std::uint32_t>> &placeOf,
                        RunSimulation &run) {
  PathWalk walk(timeline, placeOf, ends, run);
  std::uint32_t rank = 0;
  for (std::uint32_t other = 1; other < run.ranks.size(); ++other)
    if (run.ranks[other].total > run.ranks[rank].total)
      rank = other;
  double time = run.ranks.empty() ? 0 : run.ranks[rank].total;
  std::size_t position = run.ranks.empty() ? 0 : timeline.ranks[rank].size();
  while (time > 0) {
    auto after = std::upper_bound(joins[rank].begin(), joins[rank].end(), time,
                                  [](double at, const PathJoin &join) { return at < join.until; });
    if (after == joins[rank].begin()) {
      walk.stay(rank, 0, time, 0, false, position);
      break;
    }
    const PathJoin &join = *std::prev(after);
    walk.stay(rank, join.until, time, join.position, true, position);
    if (join.causeTime >= join.until)
      break; // time stands still in a loop of messages that cost nothing
    walk.travel(rank, join.position, join.until - join.causeTime);
    rank = join.causeRank;
    time = join.causeTime;
    position = join.causePosition;
  }
  std::reverse(run.path.begin(), run.path.end());
}

} // namespace sendwright
