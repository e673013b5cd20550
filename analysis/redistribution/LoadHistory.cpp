// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/LoadHistory.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

double secondsOfRow(const RowsLoad &part) {
  return part.seconds / static_cast<double>(part.end - part.begin);
}

/// Joins neighbours until there are few enough parts. Gaps between parts stay at first; if this
/// does not suffice, the rows of a gap count as part of what is around it.
void joinNeighbours(std::vector<RowsLoad> &parts) {
  for (bool overGaps = false; parts.size() > mostLoadedParts; overGaps = true) {
    const std::size_t each = (parts.size() + mostLoadedParts - 1) / mostLoadedParts;
    std::vector<RowsLoad> fewer;
    std::size_t joinedParts = 0;
    for (const RowsLoad &part : parts) {
      const bool joins =
          !fewer.empty() && joinedParts < each && (overGaps || fewer.back().end == part.begin);
      if (!joins) {
        fewer.push_back(part);
        joinedParts = 1;
        continue;
      }
      fewer.back().end = part.end;
      fewer.back().seconds += part.seconds;
      ++joinedParts;
    }
    parts = std::move(fewer);
  }
}

} // namespace

LoadPeriod loadPeriod(std::int64_t begin, std::int64_t rows, double seconds,
                      std::span<const double> costs, std::uint64_t moved) {
  LoadPeriod period;
  period.moved = moved;
  if (rows <= 0)
    return period;
  seconds = std::isfinite(seconds) ? std::clamp(seconds, 0.0, longestSeconds) : 0;
  double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  if (costs.size() != static_cast<std::size_t>(rows) || !(sum > 0) || !std::isfinite(sum)) {
    period.rows.push_back({begin, begin + rows, seconds});
    return period;
  }
  for (std::size_t row = 0; row < costs.size(); ++row) {
    const std::int64_t at = begin + static_cast<std::int64_t>(row);
    if (row > 0 && costs[row] == costs[row - 1]) {
      ++period.rows.back().end;
      period.rows.back().seconds += seconds * (costs[row] / sum);
    } else {
      period.rows.push_back({at, at + 1, seconds * (costs[row] / sum)});
    }
  }
  joinNeighbours(period.rows);
  return period;
}

LoadPeriod joined(const LoadPeriod &first, const LoadPeriod &second) {
  std::vector<std::int64_t> ends;
  for (const LoadPeriod *period : {&first, &second})
    for (const RowsLoad &part : period->rows) {
      ends.push_back(part.begin);
      ends.push_back(part.end);
    }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  LoadPeriod both;
  both.moved = first.moved + second.moved;
  auto one = first.rows.begin(), other = second.rows.begin();
  for (std::size_t at = 0; at + 1 < ends.size(); ++at) {
    RowsLoad part{ends[at], ends[at + 1], 0};
    bool isOwned = false;
    const auto add = [&](auto &from, const std::vector<RowsLoad> &parts) {
      while (from != parts.end() && from->end <= part.begin)
        ++from;
      if (from == parts.end() || from->begin > part.begin)
        return; // the rank did not own these rows then
      isOwned = true;
      part.seconds += secondsOfRow(*from) * static_cast<double>(part.end - part.begin);
    };
    add(one, first.rows);
    add(other, second.rows);
    if (isOwned)
      both.rows.push_back(part);
  }
  joinNeighbours(both.rows);
  return both;
}

void addPeriod(RecordedLoad &load, LoadPeriod period) {
  std::vector<LoadPeriod> &periods = load.periods;
  if (load.executions % load.executionsEach != 0) {
    periods.back() = joined(periods.back(), period);
    ++load.executions;
    return;
  }
  if (periods.size() == mostLoadPeriods) {
    for (std::size_t pair = 0; 2 * pair + 1 < periods.size(); ++pair)
      periods[pair] = joined(periods[2 * pair], periods[2 * pair + 1]);
    periods.resize(mostLoadPeriods / 2);
    load.executionsEach *= 2;
  }
  periods.push_back(std::move(period));
  ++load.executions;
}

} // namespace sendwright
