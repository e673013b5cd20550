// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds for every method.
//
// With s stages, and at most M messages sent by any rank over all of them, a rank's data reaches M
// ranks by one hop, M^2 by two, ...: M + M^2 + ... + M^s >= d for a rank with d destinations, and
// likewise for what it receives. (With enough stages M is small: gathering everything at one rank
// over a binary tree takes three messages a rank. So the number of messages alone says little.)
//
// With two stages, a message that a rank passes on or receives for itself comes from one of the a
// ranks that it receives from in the first stage, or from itself; and it goes to one of the b ranks
// that it sends to in the second stage, or stays. These are at most (a + 1)(b + 1) - 1 messages;
// for a given a + b most if a = b. If ranks have m messages of the pattern on average, some rank
// handles at least m of them, so its a + b is at least 2 (sqrt(m + 1) - 1).
//
// In time: a stage in which no rank sends more than k messages takes L + k o, and then a rank's
// data is at 1 + k times as many ranks. After s stages it must be at d + 1 ranks. The product of s
// factors with a given sum is largest if they are equal.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGBOUNDS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHARINGBOUNDS_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

struct SharingBounds {
  std::int64_t twoStagesSends = 0;    ///< of the rank that sends most, with two stages
  std::int64_t twoStagesReceives = 0; ///< of the rank that receives most, with two stages
  std::int64_t twoStagesLoad = 0;     ///< sends plus receives of the most loaded rank, with two
                                      ///< stages
  double seconds = 0;                 ///< with any number of stages, by the cost model
};

/// O(messages).
SharingBounds sharingBounds(const ExchangePattern &pattern, const Machine &machine);

/// The smallest M with M + M^2 + ... + M^stages >= degree. O(stages log degree).
std::int64_t fewestMessages(std::int64_t degree, int stages);

} // namespace sendwright

#endif
