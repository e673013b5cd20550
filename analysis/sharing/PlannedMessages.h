// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which messages of a loop's instances a plan has: those of most instances, or of most instances
// of each pattern if the loop alternates between a few patterns (RecurringPatterns.h). If the
// instances are alike but for their tags, the plan has any message of the loop from one rank to the
// other.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_PLANNEDMESSAGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_PLANNEDMESSAGES_H

#include "analysis/run/MatchingConflicts.h"
#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/SharingRefusal.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// A message of one instance from one rank to another. World ranks.
struct LoopMessage {
  MatchingChannel channel;
  std::uint64_t instance = 0;
  std::uint64_t bytes = 0;
};

/// Fills in `exchange.messages` and `exchange.patterns`, or says why the plan cannot have the
/// messages. `exchange.instances` and `exchange.unequal` must be set. `messages`: in the order in
/// which each rank sends them; no two of an instance have the same channel. O(m log m) for m
/// messages.
std::optional<SharingRefusal> planMessages(const std::vector<LoopMessage> &messages,
                                           SharableExchange &exchange);

} // namespace sendwright

#endif
