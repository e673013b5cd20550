// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order a rank sends and receives: with which ranks, first to last. All ranks compute
// orders of the same whole, so that the messages can be done one after another at both ends.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MESSAGEORDER_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MESSAGEORDER_H

#include "analysis/redistribution/Distribution.h"
#include "runtime/include/sendwright/redistribution.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sendwright::redistribution {

/// One array's way from one distribution to another.
struct ArrayMotion {
  const Distribution *from = nullptr, *to = nullptr;
  std::uint64_t elementSize = 0;
};

/// Other ranks, first to last.
struct PeerOrder {
  std::vector<int> sends, receives;
};

/// The order of a schedule of `kind` (SENDWRIGHT_SCHEDULE_...) for `rank`; nothing where not all
/// messages are known to each rank: there are too many, and they are staggered. Throws
/// std::bad_alloc.
std::optional<PeerOrder> orderTogether(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                       unsigned kind);

/// The order of a schedule that was known where the program was compiled; nothing where it is not
/// one of just these arrays' messages that can be done one after another, on any rank. Linear, with
/// a sort. Throws std::bad_alloc.
std::optional<PeerOrder> knownOrder(int rank, int ranks, std::span<const ArrayMotion> arrays,
                                    const sendwright_schedule &known);

/// Whether each rank has at most one interval of each array, before and after.
bool consistsOfIntervals(std::span<const ArrayMotion> arrays);

} // namespace sendwright::redistribution

#endif
