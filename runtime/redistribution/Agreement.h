// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all ranks propose the same and none has a problem. Votes are combined by dissemination
// (D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier synchronization, 1988): in round
// j a rank sends all that it knows to the one 2^j places behind it. Combining is taking least and
// largest, so that it does not matter how often a vote is counted, nor how many ranks there are.
// The rounds go on beside other messages. All ranks come to the same result.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_AGREEMENT_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_AGREEMENT_H

#include "runtime/redistribution/ActiveRequests.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <climits>
#include <cstdint>
#include <vector>

namespace sendwright::redistribution {

struct Vote {
  std::uint64_t leastDigest = UINT64_MAX, largestDigest = 0; ///< of those without a problem
  std::uint64_t largestMessage = 0;                          ///< bytes
  std::int64_t problemAt = INT_MAX;                          ///< the first rank that has one

  static Vote agreeing(std::uint64_t digest, std::uint64_t largestMessage) {
    return {digest, digest, largestMessage, INT_MAX};
  }
  static Vote problem(int rank) { return {UINT64_MAX, 0, 0, rank}; }

  void combine(const Vote &other);
  bool anyProblem() const { return problemAt != INT_MAX; }
  bool passed() const { return !anyProblem() && leastDigest == largestDigest; }
};

class Agreement {
public:
  /// Throws std::bad_alloc; nothing else here does.
  explicit Agreement(const PrivateGroup &group);

  /// Requests that may be under way at once.
  std::size_t mostRequests() const { return 2 * rounds(); }
  void begin(const Vote &own, ActiveRequests &requests);
  /// A request of the agreement's is complete.
  void completed(Purpose purpose, ActiveRequests &requests);
  /// The result is known.
  bool decided() const { return round == rounds(); }
  const Vote &result() const { return known; }

private:
  std::size_t rounds() const { return arriving.size(); }
  void send(ActiveRequests &requests);

  const PrivateGroup &group;
  Vote known;
  std::vector<Vote> arriving, leaving; ///< by round
  std::vector<bool> arrived;
  std::size_t round = 0; ///< all before are combined
};

} // namespace sendwright::redistribution

#endif
