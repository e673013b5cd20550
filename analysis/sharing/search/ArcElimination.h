// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local search for fewer combined messages. An arc is a combined message: a stage, a sender and a
// receiver. Each arc in turn is removed; what was in it goes by the cheapest other way, over arcs
// that are there and at most one new one; and the arc comes back unless that was better. Better is
// a smaller sum, over stages and ranks, of a high power of the load: sends plus receives, and the
// items in them by what they cost in comparison. A high power, because the busiest rank decides.
// A rank's average over the stages counts as one more stage, so that not the same rank is the
// busiest in each.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ARCELIMINATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ARCELIMINATION_H

#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/search/LoadWeights.h"

namespace sendwright {

/// Which power of the loads is summed up: a higher one looks more at the busiest ranks, a lower one
/// finds more that is better.
enum class LoadPower { Fourth, Eighth };

/// Improves routes; the number of stages stays. `effort` limits how many ranks are looked at on
/// ways for messages (some ten million a second), so that the result depends on no clock.
/// Deterministic. Memory O(messages * stages).
RouteTable eliminateArcs(const ExchangePattern &pattern, const RouteTable &start,
                         const LoadWeights &weights, LoadPower power, std::uint64_t effort);

} // namespace sendwright

#endif
