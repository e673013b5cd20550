// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime remembers about a distributed array, and what a rank proposes to do with several
// arrays: the facts that must be the same on all ranks, and what is wrong on this rank alone.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_ARRAYSTATE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_ARRAYSTATE_H

#include "analysis/file/Hashing.h"
#include "analysis/redistribution/Alignment.h"
#include "analysis/redistribution/Distribution.h"
#include "analysis/redistribution/HaloExchange.h"
#include "runtime/include/sendwright/redistribution.h"
#include "runtime/redistribution/MeasuredCalls.h"

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sendwright::redistribution {

/// For messages.
inline std::string nameOf(const sendwright_array &array) { return array.name ? array.name : "?"; }

struct MeasuredLoad;
class Reflection;

/// Which arrays an array is aligned with. Both ends know one another; neither owns the other.
struct AlignmentLinks {
  sendwright_array *with = nullptr;         ///< the array moves with it; null: on its own
  std::vector<AlignedDimension> dimensions; ///< how, by dimension of this array
  std::vector<sendwright_array *> aligned;  ///< what moves with this array, in order of alignment
};

/// How an array is distributed. Copied from the program's structures, except for the name of its
/// site.
struct ArrayState {
  const sendwright_site *site = nullptr; ///< of the distribute directive
  MPI_Comm communicator = MPI_COMM_NULL;
  std::string processors;      ///< the name of the processors
  std::vector<long long> grid; ///< the extents of the processors
  /// The ranks of the processors, as the program says; 0 as the stride: all ranks.
  long long firstRank = 0, lastRank = 0, rankStride = 0;
  std::vector<DimensionFormat> formats;
  std::vector<std::int64_t> extents;
  /// Null where something is wrong, or where sizes that follow the load are not known yet.
  std::shared_ptr<const Distribution> distribution;
  std::string problem; ///< what is wrong, and what was expected
  // The last directive that followed the load: when it ended (below 0: there was none), and what
  // a byte of the busiest port took (0: not known).
  double balancedAt = -1, secondsPerByte = 0;
  std::unique_ptr<MeasuredLoad> load;     ///< where it is measured; moves on to the next state
  PeriodBegin recorded;                   ///< where a profile has the load (LoadRecording.h)
  std::vector<HaloDimension> halo;        ///< cells around the block, by dimension; empty: none
  std::unique_ptr<Reflection> reflection; ///< under way; or null
  AlignmentLinks links;                   ///< a move keeps them

  ArrayState();
  ~ArrayState();
};

/// Takes the widths of a shadow: below and above, for each dimension. Sets the problem where they
/// are wrong. Throws std::bad_alloc.
void giveHalo(ArrayState &state, std::span<const long long> widths);

/// The distribution of a state with these formats, extents and processors. Throws FormatError.
std::shared_ptr<const Distribution> distributionOf(const ArrayState &state);

/// The state after a distribute directive. Throws std::bad_alloc.
std::unique_ptr<ArrayState> distributed(const sendwright_site *site,
                                        const sendwright_processors &onto,
                                        const sendwright_distribution &as);
/// The state of the same array after a redistribution. `onto` may be null: the same processors.
std::unique_ptr<ArrayState> redistributed(const ArrayState &before,
                                          const sendwright_processors *onto,
                                          const sendwright_distribution &to);

/// One array to be moved.
struct ArrayMove {
  sendwright_array *array = nullptr;
  const ArrayState *before = nullptr;
  std::unique_ptr<ArrayState> after; ///< its communicator is that of its processors
  char *oldBlock = nullptr, *newBlock = nullptr;
  void *created = nullptr; ///< by the array's storage
  /// The number of an earlier move: of the array with which this one is aligned.
  std::optional<std::size_t> follows = std::nullopt;

  bool isTemplate() const { return array->indices == SENDWRIGHT_NO_INDICES; }
  bool inPlace() const { return array->indices == SENDWRIGHT_GLOBAL_INDICES; }
  /// Elements for which this rank has memory.
  std::uint64_t elements(const ArrayState &state, int rank) const;
  /// The part of Proposal::visitFacts() that concerns this array.
  template <typename Visit> void visitFacts(Visit &visit) const;
};

/// What this rank proposes.
struct Proposal {
  unsigned schedule = SENDWRIGHT_SCHEDULE_AUTO;
  bool useKnown = false; ///< a schedule was known at compile time
  enum class Loads { None, Said, Measured };
  Loads followsLoad = Loads::None; ///< the new sizes are still to be chosen
  std::vector<ArrayMove> moves;
  std::string problem; ///< "" where this rank has none

  /// Calls visit(label, move or null, dimension, index, value) for every fact that must be the same
  /// on all ranks. In labels, %d is the dimension and %i the index, both counted from 1.
  template <typename Visit> void visitFacts(Visit visit) const;
  /// A digest of all facts.
  XXH128_hash_t digest() const;
};

/// What is wrong on this rank of `ranks` with the arrays, communicator or blocks of the moves; ""
/// where all is right. Every move has a state before and after.
std::string findProblem(const std::vector<ArrayMove> &moves, int rank, int ranks);

/// The same for one array as it is.
std::string problemOfArray(const ArrayMove &array, int rank, int ranks);

/// Creates new blocks for all arrays; returns a problem if there is no memory.
std::string createBlocks(std::vector<ArrayMove> &moves, int rank);
/// Gives the new blocks and states to the variables; or frees the blocks again.
void commitBlocks(std::vector<ArrayMove> &moves);
void discardBlocks(std::vector<ArrayMove> &moves);

template <typename Visit> void ArrayMove::visitFacts(Visit &visit) const {
  visit("the size of an element", this, 0, 0, static_cast<long long>(array->element_size));
  visit("whether every rank has room for the whole array", this, 0, 0, inPlace());
  visit("the number of dimensions", this, 0, 0, static_cast<long long>(before->formats.size()));
  for (std::size_t at = 0; at < before->extents.size(); ++at)
    visit("the extent of dimension %d", this, at, 0, before->extents[at]);
  for (std::size_t at = 0; at < before->halo.size(); ++at) {
    visit("the width of the lower shadow in dimension %d", this, at, 0, before->halo[at].lower);
    visit("the width of the upper shadow in dimension %d", this, at, 0, before->halo[at].upper);
  }
  const auto visitProcessors = [&](const ArrayState &state, const char *extent, const char *first,
                                   const char *last, const char *stride) {
    for (std::size_t at = 0; at < state.grid.size(); ++at)
      visit(extent, this, at, 0, state.grid[at]);
    visit(first, this, 0, 0, state.firstRank);
    visit(last, this, 0, 0, state.lastRank);
    visit(stride, this, 0, 0, state.rankStride);
  };
  visitProcessors(*before, "the number of processors in dimension %d",
                  "the first rank of the processors", "the last rank of the processors",
                  "the distance between the ranks of the processors");
  visitProcessors(*after, "the new number of processors in dimension %d",
                  "the first rank of the new processors", "the last rank of the new processors",
                  "the distance between the ranks of the new processors");
  const auto visitFormats = [&](const ArrayState &state, const char *kind, const char *length,
                                const char *count, const char *size) {
    for (std::size_t at = 0; at < state.formats.size(); ++at) {
      const DimensionFormat &format = state.formats[at];
      visit(kind, this, at, 0, static_cast<long long>(format.kind));
      visit(length, this, at, 0, format.blockLength);
      visit(count, this, at, 0, static_cast<long long>(format.sizes.size()));
      for (std::size_t i = 0; i < format.sizes.size(); ++i)
        visit(size, this, at, i, format.sizes[i]);
    }
  };
  visitFormats(*before, "the old kind of dimension %d", "the old length of blocks in dimension %d",
               "the old number of sizes in dimension %d", "old size %i of dimension %d");
  visitFormats(*after, "the new kind of dimension %d", "the new length of blocks in dimension %d",
               "the new number of sizes in dimension %d", "new size %i of dimension %d");
}

template <typename Visit> void Proposal::visitFacts(Visit visit) const {
  visit("the schedule", nullptr, 0, 0, static_cast<long long>(schedule));
  visit("whether the schedule was known at compile time", nullptr, 0, 0,
        static_cast<long long>(useKnown));
  visit("whether the sizes follow the load", nullptr, 0, 0, followsLoad != Loads::None);
  visit("whether the load is measured", nullptr, 0, 0, followsLoad == Loads::Measured);
  visit("the number of arrays", nullptr, 0, 0, static_cast<long long>(moves.size()));
  for (const ArrayMove &move : moves)
    move.visitFacts(visit);
}

} // namespace sendwright::redistribution

#endif
