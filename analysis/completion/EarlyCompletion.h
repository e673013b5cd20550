// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion: ranks do not wait until a receiver takes what they send. A blocking send of a
// small message leaves from a copy, and the program goes on at once. MPI may do so with any
// standard send; it does up to its eager limit, and this does with somewhat larger messages where
// ranks wait for them.

#ifndef SENDWRIGHT_ANALYSIS_COMPLETION_EARLYCOMPLETION_H
#define SENDWRIGHT_ANALYSIS_COMPLETION_EARLYCOMPLETION_H

#include "analysis/transformation/PlanParts.h"
#include "analysis/transformation/RefusalText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

inline constexpr std::string_view earlyCompletionStem = "early-completion";

/// Copies of one rank that are on their way at the same time, in bytes.
inline constexpr std::uint64_t standardEarlyBytes = std::uint64_t{1} << 20;

/// What a plan for one number of ranks holds of it; the same for all ranks.
struct EarlyCompletions : PlanPartOf<EarlyCompletions> {
  static constexpr std::string_view partName = "early completions";
  std::vector<std::uint32_t> sites; ///< ascending indices into the plan's sites
  std::uint64_t least = 0;          ///< bytes of the smallest send that would wait for its receive
  std::uint64_t most = 0;           ///< bytes of the copies of one rank
};

/// What a site's plan says of it.
struct SiteCompletion : PlanPartOf<SiteCompletion> {
  static constexpr std::string_view partName = "early completion of a site";
  double waiting = 0;                 ///< seconds of one execution that a rank waits in its sends
  double percent = 0;                 ///< of that rank's run
  std::uint64_t largest = 0;          ///< bytes of the largest send; 0: nothing is said
  std::optional<RefusalText> refusal; ///< why its sends complete as written
};

} // namespace sendwright

#endif
