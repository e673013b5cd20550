// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Store-and-forward on a virtual grid: ranks are points of a grid, and in stage d a message moves
// along dimension d to its destination's coordinate. A rank has at most (extent of dimension d) - 1
// partners in stage d, whatever the pattern. Source: O. Selvitopi and C. Aykanat, "Regularizing
// Irregularly Sparse Point-to-Point Communications", SC'19.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STOREANDFORWARD_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STOREANDFORWARD_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Extents of a virtual grid; the least significant digit of a rank's number comes first.
using GridExtents = std::vector<std::int32_t>;

/// The most dimensions that a grid of this many ranks may have: log2(ranks), rounded up, at most 9;
/// 0 for fewer than 3 ranks, where there is nothing to forward.
int largestGridDimensions(std::int32_t ranks);

/// Extents as equal as possible, larger extents first: powers of two if `ranks` is a power of two;
/// otherwise their product is at least `ranks`. 2 <= dimensions <= largestGridDimensions(ranks).
GridExtents gridExtents(std::int32_t ranks, int dimensions);

/// Routes that correct one digit in each stage, the least significant first. The product of all
/// extents but the last must be below the number of ranks, the product of all extents at least as
/// large. If the last row is incomplete and lacks the point that a message would go to, the message
/// uses the row before. O(messages * dimensions).
RouteTable gridRoutes(const ExchangePattern &pattern, const GridExtents &extents);

} // namespace sendwright

#endif
