// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of blocks that follow the load: rows with a cost each are cut into contiguous blocks, one
// for each processor, so that the largest sum of costs is as small as possible (chains on chains).
//
// The optimum is found exactly by bisection: A. Pinar and C. Aykanat, Fast optimal load balancing
// algorithms for 1D partitioning, Journal of Parallel and Distributed Computing 64, 2004. A probe
// fills one block after another up to a limit. If all rows fit, the largest block that it made is a
// new upper bound, and one that is reached; if not, the least load that would let some block take
// one more row is a new lower bound. So every probe excludes a load that a partition could have,
// and the search ends at the optimum however the costs are rounded. A block's end grows with the
// limit: earlier probes bound where it is searched.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_BALANCEDBLOCKS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_BALANCEDBLOCKS_H

#include <cstdint>
#include <span>
#include <vector>

namespace sendwright {

struct BalancedBlocks {
  std::vector<std::int64_t> sizes; ///< rows of each block, in order; blocks may be empty
  double largestLoad = 0;          ///< the largest sum of costs of a block
};

/// The partition of rows with these costs (finite, at least 0, in any unit) into `processors`
/// blocks (at least 1) whose largest load is least. Loads are differences of the costs' prefix sums
/// in double. Of the optimal partitions one is chosen whose blocks begin near where they begin now:
/// `present` has the sizes of the present blocks, or is empty. O(n + p log n) for each probe with n
/// rows and p blocks; some 50 probes narrow the ranges of each other.
BalancedBlocks balancedBlocks(std::span<const double> costs, int processors,
                              std::span<const std::int64_t> present = {});

/// The largest load of blocks of these sizes. Linear.
double largestLoad(std::span<const double> costs, std::span<const std::int64_t> sizes);

/// What is known when it is decided whether arrays move to balanced blocks.
struct BalanceStakes {
  double loadNow = 0, loadThen = 0; ///< largest loads, in one unit
  double period = 0;                ///< seconds in which the present blocks bore their load
  std::int64_t bytes = 0;           ///< that the busiest port would move
  double secondsPerByte = 0;        ///< of earlier moves; 0: not known yet
};

/// Whether the move pays if the next period is like the last one: the time of a period is taken to
/// be that of its busiest block, so it shrinks as the largest load does. Moves nothing for no gain;
/// moves if it is not known what moving costs.
bool movePays(const BalanceStakes &stakes);

} // namespace sendwright

#endif
