// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two phases of M. Duymus, "Performance improvement on latency-bound parallel HPC applications
// by message sharing between processors" (M.S. thesis, Bilkent University, 2021), as published.
//
// In Phase I the rank that sends most is paired, again and again, with the rank that has most
// destinations in common with it; for each common destination one of the two sends both messages.
// In Phase II the rank that sends most gives some of its messages to the rank that sends least. The
// thesis counts a rank's sends without those that hand messages to a partner, and ignores receives.
//
// Where the text leaves something open, this code does the following. The search for the maximum
// starts from nothing each time (Algorithms 1 and 4 do not say so, and would find the first maximum
// forever). The lowest rank wins a tie. Destinations are common, for sharing between two ranks, if
// both ranks still send to them themselves. A message given away in Phase II goes to the receiver
// of the gift and from there on, at most once, and never through its own destination.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SENDERSHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SENDERSHARING_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// The ranks that a message of a pattern passes, from its source to its destination.
using RankPath = std::vector<std::int32_t>;

/// What a phase decides, before the hops are assigned to stages.
struct SenderSharing {
  std::vector<RankPath> paths;        ///< of the pattern's messages, in their order
  std::vector<std::int64_t> counters; ///< by rank: its sends, as the thesis counts them
};

/// Phase I (Algorithms 1 to 3): paths of at most two hops. At most one iteration for each message
/// and rank; an iteration takes O(ranks + d^2) for ranks with d messages each.
SenderSharing shareCommonDestinations(const ExchangePattern &pattern);

/// Phase II (Algorithm 4) after Phase I: each hop of a path may become two. An iteration takes
/// O(ranks + d).
SenderSharing shareWithLeastLoaded(const ExchangePattern &pattern, const SenderSharing &phaseOne);

/// How many distinct ranks each rank sends to, on these paths. O(hops log hops).
std::vector<std::int64_t> distinctDestinations(const ExchangePattern &pattern,
                                               const std::vector<RankPath> &paths);

/// Assigns the hops of paths to as many stages as the longest path has hops. Longer paths go first;
/// each is placed where it needs the fewest new combined messages, and otherwise as early as
/// possible. O(hops * s) for s stages, times the ways to place a path (at most 6 for 4 stages).
RouteTable routesAlong(const ExchangePattern &pattern, const std::vector<RankPath> &paths);

} // namespace sendwright

#endif
