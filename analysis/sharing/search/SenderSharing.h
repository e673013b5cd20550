// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two phases of M. Duymus, "Performance improvement on latency-bound parallel HPC applications
// by message sharing between processors" (M.S. thesis, Bilkent University, 2021), as published.
//
// In Phase I the rank that sends most is paired, again and again, with the one that has most
// destinations in common with it; of each such destination one of the two sends what both have for
// it. In Phase II it gives some of what it then sends to the rank that sends least. The thesis
// counts what a rank sends, without what it hands to a partner, and looks at no receives.
//
// Where the text leaves something open, this is done: the search for the maximum starts from
// nothing each time (Algorithms 1 and 4 do not say so, and would find the first maximum for ever);
// the lowest rank wins a tie; destinations are common, for sharing between the two, where both
// still send themselves; a message given in Phase II goes to the receiver of the gift and from
// there on, at most once, and never through the rank that it is for.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SENDERSHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SENDERSHARING_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// The ranks that a message of a pattern passes, its source first, its destination last.
using RankPath = std::vector<std::int32_t>;

/// What a phase decides, before anyone says when each hop is made.
struct SenderSharing {
  std::vector<RankPath> paths;        ///< of the pattern's messages, in their order
  std::vector<std::int64_t> counters; ///< per rank: how much it sends, as the thesis counts
};

/// Phase I (Algorithms 1 to 3): paths of at most two hops. At most one iteration per message and
/// rank; an iteration takes time O(ranks + d^2) for ranks with d messages each.
SenderSharing shareCommonDestinations(const ExchangePattern &pattern);

/// Phase II (Algorithm 4) after Phase I: each hop of a path may become two.
/// An iteration takes time O(ranks + d).
SenderSharing shareWithLeastLoaded(const ExchangePattern &pattern, const SenderSharing &phaseOne);

/// How many ranks each rank sends something to, on these paths. O(hops log hops).
std::vector<std::int64_t> distinctDestinations(const ExchangePattern &pattern,
                                               const std::vector<RankPath> &paths);

/// Puts the hops of paths into stages, as many as the longest path has hops: longer paths first,
/// each where it needs the fewest new combined messages, and otherwise as early as possible.
/// O(hops * s) for s stages, times the ways to place a path (at most 6 for 4 stages).
RouteTable routesAlong(const ExchangePattern &pattern, const std::vector<RankPath> &paths);

} // namespace sendwright

#endif
