// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/LoadAdvice.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/redistribution/BalancedBlocks.h"
#include "analysis/redistribution/MovementProtocol.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

constexpr std::int64_t mostPieces = std::int64_t{1} << 16;

/// The rows of an array, one by one or in pieces.
class Pieces {
public:
  explicit Pieces(std::int64_t rows) : rows(rows), count(std::min(rows, mostPieces)) {}
  std::size_t size() const { return static_cast<std::size_t>(count); }
  bool areRows() const { return rows == count; }
  std::int64_t firstRow(std::int64_t piece) const {
    return areRows() ? piece : piece * (rows / count) + std::min(piece, rows % count);
  }
  std::int64_t pieceOf(std::int64_t row) const {
    const std::int64_t each = rows / count, longer = rows % count;
    return row < longer * (each + 1) ? row / (each + 1)
                                     : longer + (row - longer * (each + 1)) / each;
  }

private:
  std::int64_t rows, count;
};

/// Seconds of each piece in a period, where the rows of each part cost the same.
std::vector<double> spreadLoads(const ArrayPeriod &period, const Pieces &pieces) {
  std::vector<double> seconds(pieces.size()), change(pieces.size() + 1);
  std::vector<std::int64_t> begun(pieces.size() + 1);
  for (const RowsLoad &part : period.rows) {
    const double ofRow = part.seconds / static_cast<double>(part.end - part.begin);
    const std::int64_t first = pieces.pieceOf(part.begin), last = pieces.pieceOf(part.end - 1);
    const auto add = [&](std::int64_t piece, std::int64_t from, std::int64_t to) {
      seconds[static_cast<std::size_t>(piece)] += ofRow * static_cast<double>(to - from);
    };
    if (first == last) {
      add(first, part.begin, part.end);
      continue;
    }
    add(first, part.begin, pieces.firstRow(first + 1));
    add(last, pieces.firstRow(last), part.end);
    change[static_cast<std::size_t>(first) + 1] += ofRow;
    change[static_cast<std::size_t>(last)] -= ofRow;
    ++begun[static_cast<std::size_t>(first) + 1];
    --begun[static_cast<std::size_t>(last)];
  }
  double ofRow = 0;
  std::int64_t open = 0; // parts; where there is none, rounding must leave nothing
  for (std::size_t piece = 0; piece < seconds.size(); ++piece) {
    open += begun[piece];
    ofRow = open == 0 ? 0 : std::max(ofRow + change[piece], 0.0);
    const auto at = static_cast<std::int64_t>(piece);
    seconds[piece] += ofRow * static_cast<double>(pieces.firstRow(at + 1) - pieces.firstRow(at));
  }
  return seconds;
}

/// A run of which loads are known, under blocks that somebody chooses.
class HindsightRun {
public:
  HindsightRun(const ArrayLoads &loads, const Machine &machine)
      : loads(loads), machine(machine), pieces(loads.rows) {
    for (const ArrayPeriod &period : loads.periods)
      costs.push_back(spreadLoads(period, pieces));
    for (const std::vector<double> &ofPeriod : costs) {
      prefixes.emplace_back(ofPeriod.size() + 1);
      std::partial_sum(ofPeriod.begin(), ofPeriod.end(), prefixes.back().begin() + 1);
    }
  }

  /// With stretches of so many periods. Returns the seconds.
  double run(std::size_t interval, std::vector<AdvisedBlocks> &blocks) const;
  double asRun() const;
  double evenly() const;
  /// Rows of blocks of so many pieces.
  std::vector<std::int64_t> inRows(const std::vector<std::int64_t> &sizes) const;

private:
  double secondsWith(const std::vector<std::int64_t> &sizes, std::size_t first,
                     std::size_t past) const;
  std::uint64_t movedBytes(const std::vector<std::int64_t> &from,
                           const std::vector<std::int64_t> &to) const;
  double directive(std::uint64_t bytes) const {
    return directiveSeconds(machine, loads.processors, bytes);
  }
  /// Executions of the directive that such periods have.
  std::uint64_t executionsBefore(std::size_t period) const {
    return std::min(loads.executions, period * loads.executionsEach);
  }

  const ArrayLoads &loads;
  const Machine &machine;
  const Pieces pieces;
  std::vector<std::vector<double>> costs, prefixes; ///< by period
};

double HindsightRun::secondsWith(const std::vector<std::int64_t> &sizes, std::size_t first,
                                 std::size_t past) const {
  double seconds = 0;
  for (std::size_t period = first; period < past; ++period) {
    double largest = 0;
    std::size_t begin = 0;
    for (const std::int64_t size : sizes) {
      const std::size_t end = begin + static_cast<std::size_t>(size);
      largest = std::max(largest, prefixes[period][end] - prefixes[period][begin]);
      begin = end;
    }
    seconds += largest;
  }
  return seconds;
}

std::vector<std::int64_t> HindsightRun::inRows(const std::vector<std::int64_t> &sizes) const {
  std::vector<std::int64_t> rows;
  std::int64_t piece = 0;
  for (const std::int64_t size : sizes) {
    rows.push_back(pieces.firstRow(piece + size) - pieces.firstRow(piece));
    piece += size;
  }
  return rows;
}

std::uint64_t HindsightRun::movedBytes(const std::vector<std::int64_t> &from,
                                       const std::vector<std::int64_t> &to) const {
  std::int64_t most = 0, fromBegin = 0, toBegin = 0;
  const std::vector<std::int64_t> before = inRows(from), after = inRows(to);
  for (std::size_t block = 0; block < before.size(); ++block) {
    const std::int64_t fromEnd = fromBegin + before[block], toEnd = toBegin + after[block];
    const std::int64_t stay =
        std::max<std::int64_t>(std::min(fromEnd, toEnd) - std::max(fromBegin, toBegin), 0);
    most = std::max({most, before[block] - stay, after[block] - stay});
    fromBegin = fromEnd;
    toBegin = toEnd;
  }
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(static_cast<std::uint64_t>(most), loads.rowBytes, &bytes)
             ? UINT64_MAX
             : bytes;
}

double HindsightRun::run(std::size_t interval, std::vector<AdvisedBlocks> &blocks) const {
  double seconds = 0;
  std::vector<std::int64_t> present; // in pieces
  for (std::size_t first = 0; first < costs.size(); first += interval) {
    const std::size_t past = std::min(first + interval, costs.size());
    std::vector<double> sum = costs[first];
    for (std::size_t period = first + 1; period < past; ++period)
      for (std::size_t piece = 0; piece < sum.size(); ++piece)
        sum[piece] += costs[period][piece];
    BalancedBlocks best = balancedBlocks(sum, loads.processors, present);
    double stretch = secondsWith(best.sizes, first, past);
    if (!present.empty()) {
      const double stays = directive(0) + secondsWith(present, first, past);
      stretch += directive(movedBytes(present, best.sizes));
      if (stays <= stretch) {
        seconds += stays;
        continue;
      }
    }
    seconds += stretch;
    blocks.push_back({executionsBefore(first), inRows(best.sizes)});
    present = std::move(best.sizes);
  }
  return seconds;
}

double HindsightRun::asRun() const {
  double seconds = 0;
  for (std::size_t period = 0; period < costs.size(); ++period) {
    const std::uint64_t executions = executionsBefore(period + 1) - executionsBefore(period);
    seconds += loads.periods[period].largest + static_cast<double>(executions - 1) * directive(0) +
               directive(loads.periods[period].moved);
  }
  return seconds - directive(loads.periods.back().moved); // the last one ends the last period
}

double HindsightRun::evenly() const {
  double seconds = 0;
  for (const std::vector<double> &prefix : prefixes)
    seconds += prefix.back();
  return seconds / loads.processors;
}

/// What ranks must have recorded alike.
auto loadKey(const RecordedLoad &load) {
  return std::tie(load.site.file, load.site.line, load.site.function, load.site.hash,
                  load.site.ordinal, load.site.instantiation, load.array, load.rows,
                  load.processors, load.rowBytes);
}

struct BeforeInKey {
  bool operator()(const RecordedLoad *one, const RecordedLoad *other) const {
    return loadKey(*one) < loadKey(*other);
  }
};

bool fits(const ArrayLoads &loads, const RecordedLoad &load) {
  return loads.executions == load.executions && loads.executionsEach == load.executionsEach &&
         loads.periods.size() == load.periods.size();
}

void addLoads(ArrayLoads &loads, const RecordedLoad &load) {
  for (std::size_t at = 0; at < load.periods.size(); ++at) {
    const LoadPeriod &own = load.periods[at];
    ArrayPeriod &period = loads.periods[at];
    double seconds = 0;
    for (const RowsLoad &part : own.rows)
      seconds += part.seconds;
    period.rows.insert(period.rows.end(), own.rows.begin(), own.rows.end());
    period.largest = std::max(period.largest, seconds);
    period.moved = std::max(period.moved, own.moved);
  }
}

} // namespace

std::vector<ArrayLoads> arrayLoads(const Profile &profile) {
  std::map<const RecordedLoad *, ArrayLoads, BeforeInKey> byKey;
  std::set<const RecordedLoad *, BeforeInKey> differing;
  for (const RankProfile &rank : profile.ranks)
    for (const RecordedLoad &load : rank.loads) {
      const auto [place, isNew] = byKey.try_emplace(&load);
      ArrayLoads &loads = place->second;
      if (isNew)
        loads = {load.site,           load.array,
                 load.rows,           load.rowBytes,
                 load.processors,     load.executions,
                 load.executionsEach, std::vector<ArrayPeriod>(load.periods.size())};
      if (fits(loads, load))
        addLoads(loads, load);
      else
        differing.insert(&load);
    }
  std::vector<ArrayLoads> all;
  for (auto &[key, loads] : byKey)
    if (!differing.contains(key) && !loads.periods.empty() && loads.rows > 0)
      all.push_back(std::move(loads));
  return all;
}

double directiveSeconds(const Machine &machine, int processors, std::uint64_t bytes) {
  // Votes leave when the last but one has come, so that two travel at a time.
  const auto votes = static_cast<double>(voteDistances(processors).size());
  double seconds = votes / (1 + unansweredVotes) *
                   messageCost(machine.between, static_cast<double>(voteBytes)).delivery();
  if (bytes > 0) // they travel while the ranks agree
    seconds =
        std::max(seconds, messageCost(machine.between, static_cast<double>(bytes)).delivery());
  return seconds;
}

LoadAdvice adviseBlocks(const ArrayLoads &loads, const Machine &machine) {
  LoadAdvice advice;
  if (loads.periods.empty() || loads.rows <= 0)
    return advice;
  const HindsightRun hindsight(loads, machine);
  advice.asRun = hindsight.asRun();
  advice.evenly = hindsight.evenly();
  for (std::size_t interval = loads.periods.size(); interval > 0; --interval) {
    std::vector<AdvisedBlocks> blocks;
    const double seconds = hindsight.run(interval, blocks);
    if (!advice.blocks.empty() && !(seconds < advice.best * (1 - 1e-9)))
      continue;
    advice.best = seconds;
    advice.interval = std::min(loads.executions, interval * loads.executionsEach);
    advice.blocks = std::move(blocks);
  }
  return advice;
}

} // namespace sendwright
