// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which algorithm of a collective is predicted to be best for which sizes.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_CROSSOVERS_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_CROSSOVERS_H

#include "analysis/schedules/Collectives.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// `best` is predicted to be the fastest from `first` bytes up to the next range.
struct SizeRange {
  std::uint64_t first = 0;
  const CollectiveAlgorithm *best = nullptr;
};

/// The ranges from 0 bytes to `largest`, by the formulas. If two neighbouring powers of two have
/// the same best algorithm, no other is sought between them. O(log largest) evaluations of every
/// formula for each range and for each power of two.
std::vector<SizeRange> sizeRanges(Collective operation, std::uint32_t ranks,
                                  const LinkParameters &link,
                                  std::uint64_t largest = std::uint64_t{1} << 30);

/// The parameters that the formulas use for the first `ranks` ranks of a machine: those within a
/// node if all these ranks are on one node.
const LinkParameters &linkOfGroup(const Machine &machine, std::uint32_t ranks);

} // namespace sendwright

#endif
