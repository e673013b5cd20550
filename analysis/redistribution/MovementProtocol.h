// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ranks carry out a redistribution: the runtime does this, and a replay predicts it. Ranks
// agree by votes; messages travel in chunks, and the number of chunks under way is limited.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MOVEMENTPROTOCOL_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MOVEMENTPROTOCOL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// Chunk size of messages that are sent in place. A chunk is small enough that a rank's next
/// message can begin soon after the last chunk of its previous message. It is large enough that
/// asking for each chunk costs little, and that its eager part, which MPI sends before the receiver
/// asks, is small.
inline constexpr std::uint64_t directChunkBytes = std::uint64_t(1) << 19;

/// Most bytes, and most chunks, under way at once in one direction: a tenth of a second of Fast
/// Ethernet, within which a process that the system had suspended runs again.
inline constexpr std::uint64_t windowBytes = std::uint64_t(1) << 20;
inline constexpr std::size_t mostChunksUnderWay = 64;

/// What a rank sends before it knows that all ranks agree; its first chunk may be larger. More
/// would gain nothing and delay the votes that leave behind it on the same connections.
inline constexpr std::uint64_t headStartBytes = std::uint64_t(1) << 19;

/// Votes: bytes of a vote, and how many are sent before the awaited vote has come.
inline constexpr std::uint64_t voteBytes = 32;
inline constexpr std::size_t unansweredVotes = 1;

/// How far each of a rank's votes goes, in ranks: as far as the number of ranks whose votes it then
/// knows (runtime/redistribution/Agreement.h explains this number). Empty for one rank. O(log
/// ranks).
inline std::vector<int> voteDistances(int ranks) {
  std::vector<int> distances;
  std::vector<std::int64_t> known{1}; // ranks known after so many votes, this rank included
  for (std::size_t vote = 0; known[vote] < ranks; ++vote) {
    distances.push_back(static_cast<int>(known[vote]));
    known.push_back(known[vote] + known[vote - std::min(vote, unansweredVotes)]);
  }
  return distances;
}

/// Whether another chunk may begin while these are under way.
inline bool hasRoom(std::size_t underWay, std::uint64_t bytesUnderWay, std::uint64_t bytes) {
  return underWay == 0 || (underWay < mostChunksUnderWay && bytesUnderWay + bytes <= windowBytes);
}

} // namespace sendwright

#endif
