// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/BalancedBlocks.h"

#include <algorithm>
#include <limits>

namespace sendwright {

namespace {

std::vector<double> prefixSums(std::span<const double> costs) {
  std::vector<double> prefix(costs.size() + 1);
  for (std::size_t row = 0; row < costs.size(); ++row)
    prefix[row + 1] = prefix[row] + costs[row];
  return prefix;
}

/// Cuts a chain of rows so that the largest load is least.
class ChainCut {
public:
  ChainCut(const std::vector<double> &prefix, std::size_t blocks)
      : prefix(prefix), rows(prefix.size() - 1), least(blocks + 1), most(blocks + 1, rows),
        ends(blocks + 1) {}

  /// The least largest load.
  double optimum() {
    double lower = 0; // no partition has less
    for (std::size_t row = 0; row < rows; ++row)
      lower = std::max(lower, load(row, row + 1));
    double upper = load(0, rows); // some partition has this
    double limit = std::max(lower, upper / static_cast<double>(ends.size() - 1));
    while (lower < upper) {
      if (limit >= upper) // also where no number lies between the bounds
        limit = lower;
      if (fill(limit)) {
        upper = filled;
        most = ends;
      } else {
        lower = raised;
        least = ends;
      }
      limit = lower + (upper - lower) / 2;
    }
    return upper;
  }

  /// The beginnings of blocks with loads of at most `limit`, which suffices, near those given.
  std::vector<std::size_t> near(double limit, const std::vector<std::size_t> &wanted) const {
    const std::size_t blocks = ends.size() - 1;
    std::vector<std::size_t> earliest(blocks + 1, rows); // where the rest still fits
    for (std::size_t block = blocks; block-- > 1;)
      earliest[block] = firstReaching(earliest[block + 1], limit);
    std::vector<std::size_t> begins(blocks + 1, rows);
    begins[0] = 0;
    for (std::size_t block = 1; block < blocks; ++block) {
      const std::size_t before = begins[block - 1];
      const std::size_t last = lastWithin(before, limit, before, rows);
      begins[block] = std::clamp(wanted[block], std::max(before, earliest[block]), last);
    }
    return begins;
  }

private:
  const std::vector<double> &prefix;
  const std::size_t rows;
  std::vector<std::size_t> least, most; ///< where each block ends at least and at most
  std::vector<std::size_t> ends;        ///< of the last probe; of block b at b + 1
  double filled = 0;                    ///< the largest load of a probe in which all rows fit
  double raised = 0;                    ///< the least load that would change another probe

  double load(std::size_t begin, std::size_t end) const { return prefix[end] - prefix[begin]; }

  /// The last end in [from, to] of a block that begins at `begin` and is within the limit; `from`
  /// is.
  std::size_t lastWithin(std::size_t begin, double limit, std::size_t from, std::size_t to) const {
    while (from < to) {
      const std::size_t middle = from + (to - from + 1) / 2;
      if (load(begin, middle) <= limit)
        from = middle;
      else
        to = middle - 1;
    }
    return from;
  }

  /// The first beginning of a block that ends at `end` and is within the limit.
  std::size_t firstReaching(std::size_t end, double limit) const {
    std::size_t from = 0, to = end;
    while (from < to) {
      const std::size_t middle = from + (to - from) / 2;
      if (load(middle, end) <= limit)
        to = middle;
      else
        from = middle + 1;
    }
    return from;
  }

  /// Fills one block after another; returns whether all rows fit.
  bool fill(double limit) {
    filled = 0;
    raised = std::numeric_limits<double>::infinity();
    for (std::size_t block = 1; block < ends.size(); ++block) {
      const std::size_t begin = ends[block - 1];
      ends[block] = lastWithin(begin, limit, std::max(begin, least[block]), most[block]);
      filled = std::max(filled, load(begin, ends[block]));
      if (ends[block] < rows)
        raised = std::min(raised, load(begin, ends[block] + 1));
    }
    return ends.back() == rows;
  }
};

} // namespace

BalancedBlocks balancedBlocks(std::span<const double> costs, int processors,
                              std::span<const std::int64_t> present) {
  const auto blocks = static_cast<std::size_t>(processors);
  const std::vector<double> prefix = prefixSums(costs);
  std::vector<std::size_t> wanted(blocks + 1, costs.size());
  wanted[0] = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t size =
        block < present.size() ? static_cast<std::size_t>(present[block]) : costs.size() / blocks;
    wanted[block + 1] = std::min(costs.size(), wanted[block] + size);
  }
  ChainCut cut(prefix, blocks);
  const std::vector<std::size_t> begins = cut.near(cut.optimum(), wanted);
  BalancedBlocks balanced;
  balanced.sizes.reserve(blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    balanced.sizes.push_back(static_cast<std::int64_t>(begins[block + 1] - begins[block]));
    balanced.largestLoad =
        std::max(balanced.largestLoad, prefix[begins[block + 1]] - prefix[begins[block]]);
  }
  return balanced;
}

double largestLoad(std::span<const double> costs, std::span<const std::int64_t> sizes) {
  const std::vector<double> prefix = prefixSums(costs);
  double largest = 0;
  std::size_t begin = 0;
  for (const std::int64_t size : sizes) {
    const std::size_t end = std::min(costs.size(), begin + static_cast<std::size_t>(size));
    largest = std::max(largest, prefix[end] - prefix[begin]);
    begin = end;
  }
  return largest;
}

bool movePays(const BalanceStakes &stakes) {
  if (!(stakes.loadThen < stakes.loadNow))
    return false;
  const double saved = stakes.period * (1 - stakes.loadThen / stakes.loadNow);
  return static_cast<double>(stakes.bytes) * stakes.secondsPerByte < saved ||
         stakes.secondsPerByte == 0;
}

} // namespace sendwright
