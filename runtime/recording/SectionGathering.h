// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings what all ranks recorded to rank 0, in the order of the ranks, over a binomial tree. Each
// rank has a stream of bytes: its own pieces, then the streams of its children. It fills a block of
// the stream in advance and sends it when its parent asks, so that small sections are together
// after a message for each level of the tree, and no rank holds more than its own section and one
// block (rank 0 also one section of another rank), or talks with more than log2(ranks) others.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_SECTIONGATHERING_H
#define SENDWRIGHT_RUNTIME_RECORDING_SECTIONGATHERING_H

#include "analysis/trace/Profile.h"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace sendwright {

enum class PieceKind : std::uint64_t {
  Rank,    ///< the section of the next rank
  Failed,  ///< the next rank has no section
  Members, ///< a list of members that the rank before names
};

/// A part of a profile on its way to rank 0.
struct GatheredPiece {
  PieceKind kind = PieceKind::Failed;
  bool truncated = false;  ///< Rank: recording reached its limit on memory
  std::uint64_t kinds = 0; ///< Rank: of recorded calls
  MembersDigest digest;    ///< Members
  std::string_view bytes;
};

/// The process's next own piece, or false after the last one. Its bytes are valid until the next
/// call. Does not throw.
using PieceSource = std::function<bool(GatheredPiece &piece)>;
/// Takes a piece, valid during the call; false: no more are wanted. May throw.
using PieceSink = std::function<bool(const GatheredPiece &piece)>;

/// Collective over `communicator`, whose error handler returns: gives the pieces of all ranks to
/// the sink of rank 0. Lists of members may come several times. Throws at rank 0 what the sink
/// throws, and std::bad_alloc; other ranks do not throw. Returns false if the sink wanted no more.
bool gatherPieces(MPI_Comm communicator, const PieceSource &source, const PieceSink &sink);

} // namespace sendwright

#endif
