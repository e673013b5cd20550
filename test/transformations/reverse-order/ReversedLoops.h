// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse order: a transformation for tests, which sends the messages of each loop last to first.
// It gains nothing, and shows what a transformation consists of.

#ifndef SENDWRIGHT_TEST_TRANSFORMATIONS_REVERSE_ORDER_REVERSEDLOOPS_H
#define SENDWRIGHT_TEST_TRANSFORMATIONS_REVERSE_ORDER_REVERSEDLOOPS_H

#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sendwright {

inline constexpr std::string_view reverseOrderStem = "reverse-order";

/// One rank's messages of one loop.
struct ReversedLoop {
  std::uint32_t site = 0;        ///< index into the plan's sites
  std::vector<int> destinations; ///< world ranks, as written
};

/// What a plan for one number of ranks holds of it.
struct ReversedLoops : PlanPartOf<ReversedLoops> {
  static constexpr std::string_view partName = "reversed loops";
  std::vector<std::vector<ReversedLoop>> ranks; ///< one list for each rank, or none
};

} // namespace sendwright

#endif
