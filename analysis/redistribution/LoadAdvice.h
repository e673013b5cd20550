// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With hindsight: which sizes of blocks would have been best for the loads that a profile has, and
// after how many executions of the directive it should have moved the rows.
//
// A period takes as long as its most loaded block. Before that the directive is executed, for which
// all ranks agree, and rows may move, as fast as the busiest port of the machine lets them. The
// same model says what the run took as it was, and what it would have taken. It knows nothing of
// what else a program does.
//
// What a row cost: a rank's measured time is spread over its rows in proportion to the costs that
// balance(costs) said, or evenly. Each period stands by itself: what others say of its rows is not
// used, because a load may wander.
//
// For each interval the run is cut into stretches of so many periods. A stretch gets the best
// contiguous blocks for the sum of its loads (BalancedBlocks.h): they are the optimum for one
// period, and for loads that are proportional to one another; otherwise the sum of the periods'
// largest loads may be a little more than the least possible. Rows stay where they were in the
// stretch before, if moving would cost more than it gains. The run begins with the best blocks of
// its first stretch.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_LOADADVICE_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_LOADADVICE_H

#include "analysis/machine/Machine.h"
#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// A period of all ranks together.
struct ArrayPeriod {
  std::vector<RowsLoad> rows; ///< of all ranks, in any order; rows may be there several times
  double largest = 0;         ///< seconds of the rank that computed longest
  std::uint64_t moved = 0;    ///< bytes of the busiest rank
};

/// The load of one array up to one directive.
struct ArrayLoads {
  SiteIdentity site;
  std::string array;
  std::int64_t rows = 0;
  std::uint64_t rowBytes = 0;
  int processors = 1;
  std::uint64_t executions = 0, executionsEach = 1; ///< as in RecordedLoad
  std::vector<ArrayPeriod> periods;
};

/// The loads that all ranks of a profile recorded, by site and array. What ranks recorded
/// differently often is left out. O(n log n) for n recorded parts.
std::vector<ArrayLoads> arrayLoads(const Profile &profile);

/// Blocks that stay for some periods.
struct AdvisedBlocks {
  std::uint64_t execution = 0;     ///< of the directive, from 0, before which the rows move to them
  std::vector<std::int64_t> sizes; ///< rows of each block
};

struct LoadAdvice {
  double asRun = 0;                  ///< seconds
  double best = 0;                   ///< with the best interval and sizes
  double evenly = 0;                 ///< if every processor had the same load, and nothing moved
  std::uint64_t interval = 0;        ///< executions; all executions: sizes need not change
  std::vector<AdvisedBlocks> blocks; ///< in order; the run begins with the first
};

/// Tries every interval of whole periods. The rows of larger arrays are cut in pieces, of which
/// there are 2^16. O(t^2 p log n + t n log t) with t periods, p processors and n rows or pieces.
/// Throws std::bad_alloc.
LoadAdvice adviseBlocks(const ArrayLoads &loads, const Machine &machine);

/// What a directive costs on the machine in this model, if the busiest port moves so many bytes.
double directiveSeconds(const Machine &machine, int processors, std::uint64_t bytes);

} // namespace sendwright

#endif
