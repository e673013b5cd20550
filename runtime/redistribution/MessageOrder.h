// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the ranks with which a rank exchanges messages. All ranks compute orders of the same
// whole, so that the messages can be carried out one after another at both ends.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MESSAGEORDER_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MESSAGEORDER_H

#include "analysis/redistribution/HaloExchange.h"
#include "analysis/redistribution/Messages.h"
#include "runtime/include/sendwright/redistribution.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sendwright::redistribution {

/// One array's motion from one distribution to another.
struct ArrayMotion {
  const Distribution *from = nullptr, *to = nullptr;
  std::uint64_t elementSize = 0;
  Indices indices = Indices::Local;
  /// Cells around the block, by dimension; empty: none.
  std::vector<HaloDimension> halo;
};

/// The other ranks, from first to last.
struct PeerOrder {
  std::vector<int> sends, receives;
};

/// The order for `rank` in a schedule of `kind` (SENDWRIGHT_SCHEDULE_...). Nothing where there are
/// too many messages for each rank to know all; these are staggered. Throws std::bad_alloc.
std::optional<PeerOrder> orderTogether(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                       unsigned kind);

/// The order of a schedule known at compile time. Nothing unless it orders exactly the messages of
/// these arrays, and they can be carried out one after another on every rank. Linear, with a sort.
/// Throws std::bad_alloc.
std::optional<PeerOrder> knownOrder(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                    const sendwright_schedule &known);

/// Whether each rank has at most one interval of each array, before and after.
bool consistsOfIntervals(std::span<const ArrayMotion> arrays);

} // namespace sendwright::redistribution

#endif
