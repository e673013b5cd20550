// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which algorithm of a collective is predicted to be best for which sizes.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_CROSSOVERS_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_CROSSOVERS_H

#include "analysis/schedules/Collectives.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// From `first` bytes on, up to the next range, `best` is predicted to be the fastest.
struct SizeRange {
  std::uint64_t first = 0;
  const CollectiveAlgorithm *best = nullptr;
};

/// The ranges from 0 bytes to `largest`, by the formulas. Between two powers of two with the same
/// best algorithm no other is looked for. O(log largest) evaluations of every formula for each
/// range and for each power of two.
std::vector<SizeRange> sizeRanges(Collective operation, std::uint32_t ranks,
                                  const LinkParameters &link,
                                  std::uint64_t largest = std::uint64_t{1} << 30);

/// The parameters that the formulas take for the first `ranks` ranks of a machine: those within a
/// node where all are on one.
const LinkParameters &linkOfGroup(const Machine &machine, std::uint32_t ranks);

} // namespace sendwright

#endif
