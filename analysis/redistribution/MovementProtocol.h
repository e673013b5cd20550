// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ranks carry out a redistribution: what the runtime does and the replay predicts. Ranks agree
// by votes; messages travel in chunks, so many of which are under way at a time.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MOVEMENTPROTOCOL_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MOVEMENTPROTOCOL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// Of messages that are sent in place. Small enough that a rank's next message can begin soon after
/// the last chunk of the one before, and large enough that asking for each costs little, and that
/// the eager parts, which MPI sends before the receiver asks, are a small part.
inline constexpr std::uint64_t directChunkBytes = std::uint64_t(1) << 19;

/// So many bytes, and chunks, are under way at once in one direction: a tenth of a second of Fast
/// Ethernet, within which a process that the system had put aside comes to its turn again.
inline constexpr std::uint64_t windowBytes = std::uint64_t(1) << 20;
inline constexpr std::size_t mostChunksUnderWay = 64;

/// What a rank sends before it knows that all agree, but for the first chunk, which may be larger.
/// More would gain nothing, and hold up the votes that leave behind it on the same connections.
inline constexpr std::uint64_t headStartBytes = std::uint64_t(1) << 19;

/// Votes: bytes of one, and how many are sent before the one that should tell more has come.
inline constexpr std::uint64_t voteBytes = 32;
inline constexpr std::size_t unansweredVotes = 1;

/// How far each vote of a rank goes, in ranks, in order: as many as the rank knows the votes of by
/// then (runtime/redistribution/Agreement.h says of how many). Empty for one rank. O(log ranks).
inline std::vector<int> voteDistances(int ranks) {
  std::vector<int> distances;
  std::vector<std::int64_t> known{1}; // when so many votes have come, this rank's among them
  for (std::size_t vote = 0; known[vote] < ranks; ++vote) {
    distances.push_back(static_cast<int>(known[vote]));
    known.push_back(known[vote] + known[vote - std::min(vote, unansweredVotes)]);
  }
  return distances;
}

/// Whether a chunk may begin beside those that are under way.
inline bool hasRoom(std::size_t underWay, std::uint64_t bytesUnderWay, std::uint64_t bytes) {
  return underWay == 0 || (underWay < mostChunksUnderWay && bytesUnderWay + bytes <= windowBytes);
}

} // namespace sendwright

#endif
