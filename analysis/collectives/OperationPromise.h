// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which slots of an operation other than a reduction the ranks have from the beginning, and which
// they are promised. Ranks are numbered as in the communicator.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_OPERATIONPROMISE_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_OPERATIONPROMISE_H

#include "analysis/collectives/PlannedCollectives.h"

#include <cstdint>

namespace sendwright {

class OperationPromise {
public:
  /// `collective` must outlive it.
  explicit OperationPromise(const PlannedCollective &collective)
      : collective(collective),
        ranks(static_cast<std::uint32_t>(collective.communicator.members.size())) {}

  /// Whether the rank has the slot from the beginning, as in the runtime.
  bool owns(std::uint32_t member, std::uint32_t slot) const;
  /// Whether the operation promises the rank this slot from another rank.
  bool isFor(std::uint32_t member, std::uint32_t slot) const;
  /// How many slots the operation promises the rank from others.
  std::uint64_t count(std::uint32_t member) const;

private:
  const PlannedCollective &collective;
  const std::uint32_t ranks;
};

} // namespace sendwright

#endif
