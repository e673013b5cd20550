// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the same messages by MPI_Alltoallv, which SENDWRIGHT_DISABLE asks for.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_ALLTOALLVMOVEMENT_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_ALLTOALLVMOVEMENT_H

#include "runtime/redistribution/Movement.h"

#include <cstdint>

namespace sendwright::redistribution {

/// The largest message of this rank, bytes.
std::uint64_t largestMessage(const RankSchedule &schedule);

/// Memory for moveByAlltoallv(). Throws std::bad_alloc.
class AlltoallvBuffers {
public:
  AlltoallvBuffers(const PrivateGroup &group, const RankSchedule &schedule);

  /// Moves all elements; `largest` is the largest message of any rank. Messages are packed, and
  /// take as many rounds as the memory bound and MPI_Alltoallv's limit of 2^31 bytes require.
  /// Collective. Returns MPI's error code.
  int move(const RankSchedule &schedule, const Blocks &blocks, std::uint64_t largest);

private:
  const PrivateGroup &group;
  std::uint64_t perPeer; ///< bytes of a message in one round
  std::vector<int> sendCounts, receiveCounts, sendPlaces, receivePlaces;
  std::vector<char> packed, arrived;
  std::vector<SpanCursor> sendCursors, receiveCursors;
};

} // namespace sendwright::redistribution

#endif
