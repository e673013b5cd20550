// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The turns of a loop that alternates between patterns (ExchangeTurns.h), from the profile.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_FOUNDTURNS_H
#define SENDWRIGHT_ANALYSIS_SHARING_FOUNDTURNS_H

#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/ExchangeTurns.h"

#include <map>
#include <optional>
#include <vector>

namespace sendwright {

/// The turns of each rank that sends in the loop, with indices of `exchange.patterns` in place of
/// exchanges. `isShared`: by pattern; executions of other patterns belong to nothing. Nothing if a
/// rank that decides by them would be wrong about any execution of the profile. O(m log m) for m
/// messages, times the number of patterns.
std::optional<std::map<int, ExchangeTurns>> findTurns(const SharableExchange &exchange,
                                                      const std::vector<bool> &isShared);

} // namespace sendwright

#endif
