// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local search for fewer combined messages. An arc is a combined message: a stage, a sender and a
// receiver. Each arc in turn is removed, and its messages take the cheapest other path, over
// existing arcs and at most one new arc. If that is not better, the arc is restored.
//
// Better means a smaller sum, over stages and ranks, of a high power of the load. The load is sends
// plus receives, plus their items, weighted by cost. The power is high because the busiest rank
// decides. A rank's average over the stages counts as one more stage, so that not the same rank is
// the busiest in every stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ARCELIMINATION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ARCELIMINATION_H

#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/search/LoadWeights.h"

namespace sendwright {

/// The power of the loads that is summed up: a higher power looks more at the busiest ranks, a
/// lower power finds more improvements.
enum class LoadPower { Fourth, Eighth };

/// Improves routes; the number of stages stays. `effort` limits how many ranks are visited in the
/// search for paths (some ten million a second), so the result depends on no clock. Deterministic.
/// Memory O(messages * stages).
RouteTable eliminateArcs(const ExchangePattern &pattern, const RouteTable &start,
                         const LoadWeights &weights, LoadPower power, std::uint64_t effort);

} // namespace sendwright

#endif
