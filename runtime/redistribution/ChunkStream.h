// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's messages in one direction, begun chunk by chunk in order.
//
// A chunk that is contiguous in the rank's block, or consists of a few pieces of several arrays, is
// sent or received in place; others pass through a ring of memory, in order.
//
// Large messages travel one at a time, at both ends: a receive is posted when the messages before
// it in the order are complete, and the large message waits for the receive. So no two large
// messages share a port: a switch with little memory would drop what does not fit. Small messages,
// which MPI may send before their receive is posted, and which are soon done, need not wait for one
// another.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_CHUNKSTREAM_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_CHUNKSTREAM_H

#include "runtime/redistribution/ActiveRequests.h"
#include "runtime/redistribution/PrivateGroups.h"
#include "runtime/redistribution/RankSchedule.h"
#include "runtime/redistribution/StagingRing.h"

#include <cstdint>
#include <vector>

namespace sendwright::redistribution {

class ChunkStream {
public:
  /// The schedule's messages and `blocks` must outlive it. `tag` is that of all chunks. Throws
  /// std::bad_alloc; nothing else does.
  ChunkStream(const PrivateGroup &group, const std::vector<PeerMessage> &messages, bool sending,
              char *const *blocks, std::uint64_t stagingBytes, int tag);

  /// The largest number of requests under way at once.
  static std::size_t mostRequests();
  /// Begins chunks while there is room. `allowance` limits the bytes begun so far; the first chunk
  /// may exceed it.
  void fill(ActiveRequests &requests, std::uint64_t allowance = UINT64_MAX);
  void completed(Purpose purpose);
  bool done() const { return current == messages.size() && underWay == 0; }

  /// The number of a message's chunks that were begun.
  std::uint32_t begun(std::size_t message) const;
  const std::vector<PeerMessage> &all() const { return messages; }

private:
  enum class Passage { Contiguous, Pieces, Staged };
  struct Staged {
    Purpose purpose;
    char *memory;
    std::uint64_t bytes;
    bool complete;
  };

  Passage passageOf(const PeerMessage &message) const;
  std::uint32_t chunksOf(const PeerMessage &message) const;
  std::uint64_t bytesOf(const PeerMessage &message, std::uint32_t number) const;
  /// Returns false, having done nothing, if there is no memory now.
  bool beginChunk(Purpose purpose, SpanCursor &at, ActiveRequests &requests);
  void start(void *buffer, int count, MPI_Datatype type, Purpose purpose, ActiveRequests &requests);
  void startPieces(std::uint64_t bytes, SpanCursor &at, Purpose purpose, ActiveRequests &requests);
  char *stage(std::uint64_t bytes, Purpose purpose);
  void retireStaged();
  void unpack(const Staged &arrived);

  const PrivateGroup &group;
  const std::vector<PeerMessage> &messages;
  const bool sending;
  const int tag;
  char *const *blocks;
  // The message of the next chunk, and where the chunk lies.
  std::size_t current = 0;
  std::uint32_t chunk = 0;
  SpanCursor cursor;
  // The message being unpacked.
  std::size_t unpacked = SIZE_MAX;
  SpanCursor unpackCursor;
  std::size_t underWay = 0; ///< chunks
  std::uint64_t bytesUnderWay = 0, bytesBegun = 0;
  StagingRing ring;
  std::vector<Staged> staged; ///< circular: `stagedCount` from `stagedFirst`
  std::size_t stagedFirst = 0, stagedCount = 0;
  std::vector<int> lengths; ///< of a chunk's pieces
  std::vector<MPI_Aint> addresses;
};

} // namespace sendwright::redistribution

#endif
