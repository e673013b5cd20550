// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small blocks that travel through other ranks, in combined messages. A rank stays in the call
// until it has passed on everything that comes through it: each combined message of the plan is
// sent once in each call, also if it is empty. All members make the call, so nobody waits for a
// rank that does not come, and stages follow one another, so nobody waits in a circle.
//
// If a rank has the same block for all its partners, a combined message has one copy, which a rank
// that passes it on puts into each of its own combined messages that need it.

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_BLOCKROUTES_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_BLOCKROUTES_H

#include "analysis/irregular/IrregularCollectives.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sendwright::irregular {

/// One rank's part, with buffers for one call at a time. Ranks are world ranks.
class BlockRoutes {
public:
  /// `part` must outlive it. Stage s has the tag `firstTag` + s on `world`.
  BlockRoutes(const RankExchange &part, int rank, MpiFunctionId function, std::uint64_t largest,
              int firstTag);

  /// Whether a block of this size travels by route to the destination, or from the source: both say
  /// the same of one block.
  bool leadTo(int destination, std::uint64_t bytes) const {
    return bytes <= largest && own.contains(destination);
  }
  bool comeFrom(int source, std::uint64_t bytes) const {
    return bytes <= largest && sources.contains(source);
  }

  /// A call begins: posts all receives. Returns MPI's error code.
  int begin(MPI_Comm world);
  /// Room for a block of the call; null if a copy of the block leaves by the same way already.
  /// Throws std::bad_alloc.
  std::byte *add(int destination, std::uint64_t bytes);
  /// This rank's blocks are all there: sends what waits for nothing else, and appends the requests.
  /// Returns MPI's error code.
  int leave(std::vector<MPI_Request> &sends);

  /// Receives of the call; null once they are done.
  std::vector<MPI_Request> &receives() { return receiving; }
  std::size_t awaited() const { return left; }
  using Delivery = std::function<void(int source, std::span<const std::byte> block)>;
  /// The receive with this index is done: delivers blocks for this rank, and sends what is complete
  /// now.
  int arrive(std::size_t index, const MPI_Status &status, const Delivery &deliver,
             std::vector<MPI_Request> &sends);

private:
  struct Place {
    std::size_t transfer = 0; ///< index into `outgoing`
    std::uint32_t place = 0;  ///< of the block in it
    bool operator==(const Place &) const = default;
  };
  /// What becomes of a block that arrives.
  struct Fate {
    int source = 0;
    bool isDelivered = false;
    std::vector<Place> onward;
  };
  struct Outgoing {
    int peer = 0, tag = 0;
    std::uint32_t feeders = 0, missing = 0; ///< contributions in each call; not there yet
    std::vector<bool> hasBlock;             ///< by place, in this call
    std::vector<std::byte> bytes;
  };
  struct Incoming {
    int peer = 0, tag = 0;
    std::vector<Fate> blocks;              ///< by place
    std::unordered_set<std::size_t> feeds; ///< indices into `outgoing`
    std::vector<std::byte> bytes;
  };

  void addOutgoing(const Transfer &transfer, int tag, int rank);
  void addIncoming(const Transfer &transfer, int tag, int rank);
  /// Room for the block; null if it has come already, as another copy.
  std::byte *append(const Place &place, std::uint64_t bytes);
  int oneLess(std::size_t transfer, std::vector<MPI_Request> &sends);

  const RankExchange &part;
  const MpiFunctionId function;
  const bool areCopies; ///< a rank's blocks: combined messages have one of them
  const std::uint64_t largest;
  MPI_Comm world = MPI_COMM_NULL;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  std::vector<std::optional<Place>> onward; ///< by message of the part: how it leaves this rank
  std::unordered_map<int, Place> own;       ///< by destination
  std::unordered_set<int> sources;          ///< of blocks for this rank
  std::unordered_set<std::size_t> ownFeeds; ///< transfers with this rank's own blocks
  std::vector<MPI_Request> receiving;
  std::size_t left = 0;
};

} // namespace sendwright::irregular

#endif
