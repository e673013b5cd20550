// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks: for one point of the run, how many nodes of each rank are known to be done there.
// A full vector at every rank and in every message would cost ranks times messages. Here a clock is
// a table of blocks, which clocks share until they differ. Blocks without any knowledge do not
// exist: copying a clock copies a number, and a run in which ranks know only their neighbours needs
// little more. A block remembers which rank changed it last, and when. A rank's knowledge only
// grows, so of two blocks made by one rank the later block includes the earlier: news that travels
// far is passed on, not compared.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_SPARSECLOCKS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_SPARSECLOCKS_H

#include <array>
#include <cstdint>
#include <vector>

namespace sendwright {

/// Clock 0 knows nothing; it is never changed and never freed.
using ClockId = std::uint32_t;

/// Owns all clocks of one analysis. Clocks are reference-counted: copy() adds a reference,
/// release() drops one.
class SparseClocks {
public:
  explicit SparseClocks(std::uint32_t ranks);

  /// How many nodes of `rank` are done. Constant.
  std::uint32_t get(ClockId clock, std::uint32_t rank) const {
    const std::uint32_t block = tables[std::size_t{clock} * blocksPerClock + rank / blockSize];
    return static_cast<std::uint32_t>(blocks[block][rank % blockSize]);
  }
  ClockId copy(ClockId clock) {
    ++clockReferences[clock];
    return clock;
  }
  void release(ClockId clock);
  /// `owner`'s clock learns that `done` nodes of `rank` are done. The caller's reference moves to
  /// the result.
  void learn(std::uint32_t owner, ClockId &clock, std::uint32_t rank, std::uint32_t done);
  /// `owner`'s clock learns all that `other` knows. Linear in the blocks that differ.
  void learnAll(std::uint32_t owner, ClockId &clock, ClockId other);
  /// The owner of clocks that belong to no rank.
  static constexpr std::uint32_t nobody = UINT32_MAX;

private:
  static constexpr std::uint32_t blockSize = 64;
  using Block = std::array<std::int32_t, blockSize>; // signed, so that processors compare several
                                                     // numbers at once
  struct BlockHead {
    std::uint32_t references = 0;
    std::uint32_t maker = nobody; ///< whose knowledge it is
    std::uint64_t made = 0;       ///< when it was changed, by a count of changes
  };

  std::uint32_t *ownTable(ClockId &clock);
  void own(std::uint32_t owner, std::uint32_t &block);
  void learnBlock(std::uint32_t owner, std::uint32_t &block, std::uint32_t other);
  void share(std::uint32_t &block, std::uint32_t other);
  void releaseBlock(std::uint32_t block);

  std::uint32_t blocksPerClock;
  std::vector<std::uint32_t> tables; // blocksPerClock entries for each clock
  std::vector<std::uint32_t> clockReferences;
  std::vector<ClockId> freeClocks;
  std::vector<Block> blocks;    // 0 is all zeros
  std::vector<BlockHead> heads; // by block
  std::vector<std::uint32_t> freeBlocks;
  std::uint64_t changes = 0;
};

} // namespace sendwright

#endif
