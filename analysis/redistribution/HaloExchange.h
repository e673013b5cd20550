// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halo cells around the blocks of a distributed array (HPF-2's SHADOW, XcalableMP's reflect):
// copies of the elements that lie next to a rank's block. Who sends which of its elements to whom,
// so that every rank's halo cells are what their owners have.
//
// In each dimension a rank's block is one interval, and its halo is one below and one above. A halo
// cell of several dimensions is outside of the block in exactly one of them, or, as a corner, in
// more. The cells that one rank has from another are boxes: one interval for each dimension.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_HALOEXCHANGE_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_HALOEXCHANGE_H

#include "analysis/redistribution/Distribution.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// How many cells lie below and above a block in one dimension, and whether those beyond the
/// array's ends are the elements of its other end.
struct HaloDimension {
  std::int64_t lower = 0, upper = 0;
  bool periodic = false;
};

/// One dimension of a box. Positions count from the first element of a block: below 0 is the lower
/// halo, beyond the block the upper.
struct HaloInterval {
  std::int64_t sender = 0, receiver = 0; ///< where it begins at either end
  std::int64_t global = 0; ///< the index of the array where it begins; only of a block
  std::int64_t length = 0;
  bool operator==(const HaloInterval &) const = default;
};

struct HaloBox {
  int source = 0, destination = 0; ///< ranks, possibly the same
  std::vector<HaloInterval> intervals;
  std::int64_t elements() const;
  bool operator==(const HaloBox &) const = default;
};

/// Whether every dimension with a halo has blocks (DimensionDistribution::contiguous()).
bool canHaveHalo(const Distribution &distribution, const std::vector<HaloDimension> &halo);

/// The boxes that fill a rank's halo. `halo` has an entry for each dimension and fits the
/// distribution. A rank without elements has no halo.
std::vector<HaloBox> haloInto(int rank, const Distribution &distribution,
                              const std::vector<HaloDimension> &halo, bool corners);
/// The boxes that a rank sends, those to one rank in the order in which haloInto() has them.
std::vector<HaloBox> haloFrom(int rank, const Distribution &distribution,
                              const std::vector<HaloDimension> &halo, bool corners);

} // namespace sendwright

#endif
