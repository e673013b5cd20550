// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/CriticalPath.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

bool communicates(const Event &event) {
  return event.kind == EventKind::Call || event.kind == EventKind::Redistribution;
}

class PathWalk {
public:
  PathWalk(const Timeline &timeline, const std::vector<std::vector<std::uint32_t>> &placeOf,
           RunSimulation &run)
      : timeline(timeline), placeOf(placeOf), run(run) {}

  /// What the rank did from `begin` to `end`: the events after `from`, up to `to`.
  void stay(std::uint32_t rank, double begin, double end, std::size_t from, std::size_t to) {
    const RankTimeline &events = timeline.ranks[rank];
    if (events.size() == 0)
      return;
    to = std::min(to, events.size() - 1);
    double left = end - begin, carried = 0;
    for (std::size_t position = from; position <= to; ++position) {
      const std::uint32_t number = events.numbers[position];
      const double work = std::clamp(events.work[number], 0.0, std::max(left, 0.0));
      left -= work;
      carried += work;
      // Computation belongs to the call that follows it.
      if (position == to || communicates(events.at(position)))
        run.places[placeOf[rank][number]].pathComputation += std::exchange(carried, 0);
    }
    // The rest went into messages: of the last call, or of the wait before it, which took a
    // message.
    std::size_t last = to;
    while (last + 1 > from && last > 0 && !communicates(events.at(last)))
      --last;
    const std::uint32_t place = placeOf[rank][events.numbers[last]];
    run.places[place].pathOverhead += std::max(left, 0.0);
    run.path.push_back({rank, begin, end, place});
  }

  void travel(std::uint32_t rank, std::size_t position, double seconds) {
    const std::uint32_t number = timeline.ranks[rank].numbers[position];
    run.places[placeOf[rank][number]].pathNetwork += seconds;
  }

private:
  const Timeline &timeline;
  const std::vector<std::vector<std::uint32_t>> &placeOf;
  RunSimulation &run;
};

} // namespace

void followCriticalPath(const Timeline &timeline, const std::vector<std::vector<PathJoin>> &joins,
                        const std::vector<std::vector<std::uint32_t>> &placeOf,
                        RunSimulation &run) {
  PathWalk walk(timeline, placeOf, run);
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
      walk.stay(rank, 0, time, 0, position);
      break;
    }
    const PathJoin &join = *std::prev(after);
    walk.stay(rank, join.until, time, std::size_t{join.position} + 1, position);
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
