// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no method can be below.
//
// With s stages, and at most M messages that any rank sends over all of them, what a rank has gets
// to M ranks by one hop, M^2 by two, ...: M + M^2 + ... + M^s >= d for a rank with d destinations,
// and likewise for what it receives. (With enough stages M is small: gathering all of it at one
// rank over a binary tree takes three messages a rank. Messages alone say little, then.)
//
// With two stages, what a rank passes on or is the end of comes from the a ranks that it receives
// from in the first, or from itself, and goes to the b that it sends to in the second, or stays: at
// most (a + 1)(b + 1) - 1 messages, most where a = b. With m messages of the pattern for a rank on
// average, for some rank these are at least m, and a + b at least 2 (sqrt(m + 1) - 1).
//
// In time: a stage in which no rank sends more than k takes L + k o, and what a rank has is then at
// 1 + k times as many ranks. After s stages these must be d + 1; the product of s factors with a
// given sum is largest where they are equal.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGBOUNDS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGBOUNDS_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

struct SharingBounds {
  std::int64_t twoStagesSends = 0;    ///< of the rank that sends most, in two stages
  std::int64_t twoStagesReceives = 0; ///< of the rank that receives most, in two stages
  std::int64_t twoStagesLoad = 0;     ///< sends plus receives of the rank with most, in two stages
  double seconds = 0;                 ///< in any number of stages, by the cost model
};

/// O(messages).
SharingBounds sharingBounds(const ExchangePattern &pattern, const Machine &machine);

/// The smallest M with M + M^2 + ... + M^stages >= degree. O(stages log degree).
std::int64_t fewestMessages(std::int64_t degree, int stages);

} // namespace sendwright

#endif
