// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank remembers of an array's load over a run, however long: at most 64 periods, of at most
// 64 parts each. A period is from one execution of a directive to the next. When there is no room
// for another period, every two become one, and from then on a period has twice as many executions.
// All ranks execute a directive equally often, so their periods stay the same.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_LOADHISTORY_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_LOADHISTORY_H

#include "analysis/trace/Profile.h"

#include <cstdint>
#include <span>

namespace sendwright {

/// The load of a period in which the rank owned `rows` rows from `begin` on, computed for `seconds`
/// (0 for what is negative or not finite), and then moved so many bytes. `costs` says what the rows
/// cost, in any unit; if it is empty or all costs are 0, all rows cost the same. Rows of equal cost
/// are one part; if there are more than 64 parts, neighbours are joined. Linear. Throws
/// std::bad_alloc.
LoadPeriod loadPeriod(std::int64_t begin, std::int64_t rows, double seconds,
                      std::span<const double> costs, std::uint64_t moved);

/// One period after the other. The seconds of a row are the sum of both, as far as parts can say
/// it; the sum over all rows is exact but for rounding. Linear. Throws std::bad_alloc.
LoadPeriod joined(const LoadPeriod &first, const LoadPeriod &second);

/// Adds the period before the next execution. O(1) amortised for periods of bounded length. Throws
/// std::bad_alloc.
void addPeriod(RecordedLoad &load, LoadPeriod period);

} // namespace sendwright

#endif
