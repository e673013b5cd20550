// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/schedules/Crossovers.h"

#include <algorithm>

namespace sendwright {

namespace {

class RangeSearch {
public:
  RangeSearch(Collective operation, std::uint32_t ranks, const LinkParameters &link)
      : operation(operation), ranks(ranks), link(link) {}

  const CollectiveAlgorithm *bestAt(std::uint64_t bytes) const {
    return &bestAlgorithm(operation, {ranks, bytes, 0}, link);
  }

  /// Appends the ranges that begin above `low`, where `best` holds, and at most at `high`.
  void search(std::uint64_t low, const CollectiveAlgorithm *best, std::uint64_t high,
              const CollectiveAlgorithm *bestHigh, std::vector<SizeRange> &ranges) const {
    if (best == bestHigh)
      return;
    if (high - low == 1) {
      ranges.push_back({high, bestHigh});
      return;
    }
    const std::uint64_t middle = low + (high - low) / 2;
    const CollectiveAlgorithm *bestMiddle = bestAt(middle);
    search(low, best, middle, bestMiddle, ranges);
    search(middle, bestMiddle, high, bestHigh, ranges);
  }

private:
  Collective operation;
  std::uint32_t ranks;
  const LinkParameters &link;
};

} // namespace

std::vector<SizeRange> sizeRanges(Collective operation, std::uint32_t ranks,
                                  const LinkParameters &link, std::uint64_t largest) {
  const RangeSearch search(operation, ranks, link);
  std::vector<SizeRange> ranges{{0, search.bestAt(0)}};
  const CollectiveAlgorithm *best = ranges[0].best;
  std::uint64_t low = 0;
  while (low < largest) {
    const std::uint64_t high = std::min(largest, std::max<std::uint64_t>(1, low * 2));
    const CollectiveAlgorithm *next = search.bestAt(high);
    search.search(low, best, high, next, ranges);
    low = high;
    best = next;
  }
  return ranges;
}

const LinkParameters &linkOfGroup(const Machine &machine, std::uint32_t ranks) {
  return linkBetween(machine, 0, ranks == 0 ? 0 : ranks - 1);
}

} // namespace sendwright
