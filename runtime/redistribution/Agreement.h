// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether all ranks propose the same and no rank has a problem. Votes are combined by dissemination
// (D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier synchronization, 1988): a rank
// that knows the votes of C ranks, itself and those before it, sends them to the one C places
// behind it and hears from the one C places before it, so that C doubles. In the published
// algorithm, the next message leaves when the last one has arrived. Here it leaves when the last
// but one has arrived: C grows only as the Fibonacci numbers do, but two messages travel at a time.
// 128 ranks need ten messages in five times their latency instead of seven in seven.
//
// Why no digest in the data messages takes the place of votes. It would cost nothing, and every
// difference would show: of two neighbours in the ring of ranks that propose different things, at
// least one could see it. But a rank would hear of its partners only. The others would return, and
//
//   - the program would go on with their new blocks, and change them. Ranks that found the
//     difference still have the old ones. To go back together, every rank would have to keep its
//     old block until it knows that all have theirs: which is to vote, or to hold the memory of
//     both blocks over several directives. Elements of whole arrays, which move in place, and of
//     containers, which the commit frees, could not be kept at all.
//   - a rank that waits for a message which its partner does not send cannot be told: the partner
//     has returned, and may be in a call of MPI in which it waits for this very rank. Votes come
//     from all ranks whatever they propose, so nobody waits in vain.
//
// So all ranks know before one of them returns, and to know it of N ranks takes at least log2 N
// messages one after the other. A program may do without (SENDWRIGHT_REDISTRIBUTE_TRUST): then
// the digest is in the messages' tags, and only the rank that finds an error is told.
//
// Votes are combined by minimum and maximum, so it does not matter how often a vote is counted, nor
// how many ranks there are. The messages travel while others are under way. All ranks get the same
// result.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_AGREEMENT_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_AGREEMENT_H

#include "runtime/redistribution/ActiveRequests.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <climits>
#include <cstdint>
#include <vector>

namespace sendwright::redistribution {

struct Vote {
  std::uint64_t leastDigest = UINT64_MAX, largestDigest = 0; ///< of ranks without a problem
  std::uint64_t largestMessage = 0;                          ///< bytes
  std::int64_t problemAt = INT_MAX;                          ///< the first rank with a problem

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

  /// The largest number of requests under way at once.
  std::size_t mostRequests() const { return 2 * distances.size(); }
  void begin(const Vote &own, ActiveRequests &requests);
  /// Says that a request of the agreement is complete.
  void completed(Purpose purpose, ActiveRequests &requests);
  /// Whether the result is known.
  bool decided() const { return heard == distances.size(); }
  const Vote &result() const { return known; }

private:
  void sendWhatIsDue(ActiveRequests &requests);

  const PrivateGroup &group;
  Vote known;
  std::vector<int> distances;          ///< of each message, in ranks
  std::vector<Vote> arriving, leaving; ///< indexed by message
  std::vector<bool> arrived;
  std::size_t heard = 0, sent = 0; ///< number of messages combined or under way, in order
};

} // namespace sendwright::redistribution

#endif
