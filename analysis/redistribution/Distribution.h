// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an array is distributed over processors, as High Performance Fortran 2.0 defines it.
//
// Each dimension is cut independently: into blocks of given sizes (gen_block), into blocks of one
// size, one for each processor (block), into blocks dealt out in turn (cyclic), or not at all (*).
// The dimensions that are cut lie on the dimensions of a grid of processors, in order; ranks count
// the grid in C order, the last dimension fastest. A processor keeps its elements as one dense
// local block in C order: in each dimension the indices that it owns, ascending.
//
// block is cyclic with blocks so large that no processor gets a second one, so two forms suffice:
// boundaries (gen_block) and a block length (block, cyclic).

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// One dimension as written in a directive.
struct DimensionFormat {
  enum class Kind { Collapsed, Block, Cyclic, GenBlock };
  Kind kind = Kind::Collapsed;
  std::int64_t blockLength = 0;    ///< block(n), cyclic(n); 0: not given
  std::vector<std::int64_t> sizes; ///< gen_block: one for each processor

  static DimensionFormat collapsed() { return {}; }
  static DimensionFormat block(std::int64_t length = 0) { return {Kind::Block, length, {}}; }
  static DimensionFormat cyclic(std::int64_t length = 0) { return {Kind::Cyclic, length, {}}; }
  static DimensionFormat genBlock(std::vector<std::int64_t> sizes) {
    return {Kind::GenBlock, 0, std::move(sizes)};
  }
};

/// What one processor owns of a dimension: blocks of one length at equal distances. The end of the
/// array may cut off the last block.
struct BlockFamily {
  std::int64_t first = 0;  ///< where the first block begins
  std::int64_t length = 0; ///< of each block
  std::int64_t stride = 1; ///< from the beginning of a block to the beginning of the next
  std::int64_t count = 0;  ///< 0: owns nothing
  std::int64_t end = 0;    ///< where the last block ends
};

/// One dimension of an array: its indices 0 to extent - 1, each owned by one of `processors`
/// coordinates. All members take constant time, except the constructor and ownerOf() for gen_block
/// (logarithmic in the number of processors). Immutable; any thread may use it.
class DimensionDistribution {
public:
  /// Throws FormatError "what is wrong, what was expected" (without a place):
  /// - extent < 0 or processors < 1; collapsed over more than one processor;
  /// - gen_block: not one size for each processor, a negative size, or a sum below the extent. A
  ///   sum above the extent is allowed: blocks are cut off at the extent, and blocks beyond it are
  ///   empty.
  /// - block(n), cyclic(n): n < 1; block(n) also n * processors < extent.
  /// Without a length, block uses ceil(extent / processors) and cyclic uses 1.
  DimensionDistribution(const DimensionFormat &format, std::int64_t extent, int processors);

  std::int64_t extent() const { return length; }
  int processors() const { return count; }
  /// Every coordinate owns at most one block, in the order of the coordinates.
  bool contiguous() const { return !boundaries.empty() || period() >= length; }
  /// The number of indices after which the owners repeat; 0 for gen_block, whose owners do not
  /// repeat.
  std::int64_t period() const { return boundaries.empty() ? blockLength * count : 0; }
  /// Blocks of the whole dimension, including empty blocks of gen_block.
  std::int64_t blocks() const;

  /// What a coordinate owns.
  BlockFamily owned(int coordinate) const;
  std::int64_t localSize(int coordinate) const;
  /// For 0 <= index < extent(): the owner, the index's position among the owner's indices, and the
  /// end of the block that contains the index.
  int ownerOf(std::int64_t index) const;
  std::int64_t localIndex(std::int64_t index) const;
  std::int64_t blockEnd(std::int64_t index) const;

private:
  std::int64_t length;
  int count;
  std::int64_t blockLength = 0;         // of block and cyclic
  std::vector<std::int64_t> boundaries; // of gen_block: where each block begins, and the extent
};

/// A whole array. Immutable; any thread may use it.
class Distribution {
public:
  /// `formats` and `extents` have an entry for each dimension, `grid` a number of processors for
  /// each dimension that is not collapsed. Throws FormatError as DimensionDistribution does (naming
  /// the dimension if there are several), if the numbers of entries disagree, if the grid has more
  /// processors than an int can count, or if the array has more elements than an int64 can count.
  Distribution(const std::vector<DimensionFormat> &formats,
               const std::vector<std::int64_t> &extents, const std::vector<int> &grid);

  int ranks() const { return rankCount; }
  std::size_t dimensions() const { return cuts.size(); }
  const DimensionDistribution &dimension(std::size_t at) const { return cuts[at]; }

  /// The coordinate of a rank below ranks() on a dimension; 0 on a collapsed dimension.
  int coordinate(int rank, std::size_t dimension) const;
  /// The distance from a rank to its neighbour on a dimension; 0 on a collapsed dimension.
  int rankStride(std::size_t dimension) const { return strides[dimension]; }
  /// Elements that a rank owns; 0 for ranks beyond the grid.
  std::int64_t localElements(int rank) const;
  /// Indices that a rank owns on a dimension: the shape of its local block.
  std::int64_t localSize(int rank, std::size_t dimension) const {
    return cuts[dimension].localSize(coordinate(rank, dimension));
  }

private:
  std::vector<DimensionDistribution> cuts;
  std::vector<int> strides;
  int rankCount = 1;
};

} // namespace sendwright

#endif
