// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which patterns of different ranks belong together: a library's loop that serves the levels of a
// grid has a common pattern for each level, in an order that may depend on the data. Each rank
// knows its own patterns alone, and tells in which of its last executions it sent them.
//
// Executions belong together if they come at the same moment: as many after the same collective
// call of all ranks. Ranks may leave out executions between two calls: a rank that is not on the
// coarse levels goes from its coarsest level down to the same level up. So where a rank has fewer
// executions than the rank with most, the missing ones are in one gap, of which the place follows
// from its patterns: a common pattern is the same pattern of the rank wherever it comes. If several
// places are possible, patterns that depend on the place are left out.
//
// A rank's pattern may belong to several common patterns. If what the rank sent in the execution
// before tells these apart, it takes part in them; otherwise its pattern is left out as well, and
// these messages go directly. So each rank can tell to which common pattern an execution belongs,
// and all ranks that take part in a common pattern count its executions alike.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_COMMONPATTERNS_H
#define SENDWRIGHT_ANALYSIS_SHARING_COMMONPATTERNS_H

#include "analysis/sharing/PatternHistory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

struct CommonPattern {
  std::vector<std::uint32_t> ofRanks; ///< by rank: its own pattern, or 0 if it takes no part
  std::map<std::size_t, PatternContext> contexts; ///< of ranks that send the same in several
  std::uint64_t executions = 0;

  /// Of any rank. Valid as long as this.
  const PatternContext &contextOf(std::size_t rank) const;
};

struct CommonPatterns {
  ExecutionMoment from;         ///< executions are counted from here on
  std::uint64_t executions = 0; ///< of the loop, from there to the end of what is known; at least 1
                                ///< if there are patterns
  std::vector<CommonPattern> patterns; ///< the most frequent first; at most `mostCommonPatterns`
  bool byPartners = false; ///< ranks execute the loop unequally often (PatternsByPartners.h)
};

constexpr std::size_t mostCommonPatterns = 16;

/// How many ranks take part in an execution of the loop, on average.
double ranksTakingPart(const CommonPatterns &common);

/// Finds them in the histories of all ranks. There are no patterns if the histories do not
/// overlap, or contradict one another. O(e^2) for each rank of e executions between two calls, and
/// at most 256 executions are looked at.
CommonPatterns findCommonPatterns(const std::vector<PatternHistory> &ranks);

} // namespace sendwright

#endif
