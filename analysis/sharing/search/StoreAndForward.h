// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Store-and-forward on a virtual grid: ranks are points of a grid, and in stage d a message moves
// along dimension d to its destination's coordinate. A rank has at most (extent of dimension d) - 1
// partners in stage d, whatever the pattern. (O. Selvitopi and C. Aykanat, "Regularizing
// Irregularly Sparse Point-to-Point Communications", SC'19.)

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STOREANDFORWARD_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STOREANDFORWARD_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Extents of a virtual grid, the least significant digit of a rank's number first.
using GridExtents = std::vector<std::int32_t>;

/// The most dimensions that a grid of so many ranks has: log2(ranks), rounded up, and at most 9;
/// 0 below 3 ranks, where there is nothing to forward.
int largestGridDimensions(std::int32_t ranks);

/// Extents as equal as possible, larger ones first: powers of two, if the number of ranks is one;
/// otherwise such that their product is at least the number of ranks.
/// 2 <= dimensions <= largestGridDimensions(ranks).
GridExtents gridExtents(std::int32_t ranks, int dimensions);

/// Routes that correct one digit a stage, the least significant first. The product of all extents
/// but the last is below the number of ranks, that of all at least as large. Where the last row is
/// incomplete and the point in it does not exist, a message goes by the row before.
/// O(messages * dimensions).
RouteTable gridRoutes(const ExchangePattern &pattern, const GridExtents &extents);

} // namespace sendwright

#endif
