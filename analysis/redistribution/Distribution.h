// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an array is distributed over processors, as High Performance Fortran 2.0 defines it.
//
// Each dimension is cut by itself: into blocks of given sizes (gen_block), into blocks of one size,
// one a processor (block), dealt out in turn (cyclic), or not at all (*). The dimensions that are
// cut lie on the dimensions of a grid of processors, in order; ranks count the grid in C order, the
// last dimension fastest. A processor keeps what it owns as one dense local block in C order:
// per dimension the indices that it owns, in increasing order.
//
// block is dealing out of blocks so large that nobody gets a second one, so two forms suffice:
// boundaries (gen_block) and a block length (block, cyclic).

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// One dimension as a directive spells it.
struct DimensionFormat {
  enum class Kind { Collapsed, Block, Cyclic, GenBlock };
  Kind kind = Kind::Collapsed;
  std::int64_t blockLength = 0;    ///< block(n), cyclic(n); 0: not given
  std::vector<std::int64_t> sizes; ///< gen_block: one per processor

  static DimensionFormat collapsed() { return {}; }
  static DimensionFormat block(std::int64_t length = 0) { return {Kind::Block, length, {}}; }
  static DimensionFormat cyclic(std::int64_t length = 0) { return {Kind::Cyclic, length, {}}; }
  static DimensionFormat genBlock(std::vector<std::int64_t> sizes) {
    return {Kind::GenBlock, 0, std::move(sizes)};
  }
};

/// Blocks of one length at equal distances: what one processor owns of a dimension. The last may be
/// cut off at the end of the array.
struct BlockFamily {
  std::int64_t first = 0;  ///< where the first begins
  std::int64_t length = 0; ///< of each
  std::int64_t stride = 1; ///< from the beginning of one to that of the next
  std::int64_t count = 0;  ///< 0: owns nothing
  std::int64_t end = 0;    ///< where the last ends
};

/// One dimension of an array: its indices 0 to extent - 1, each owned by one of `processors`
/// coordinates. Everything but the constructor, and ownerOf() of gen_block (logarithmic in the
/// processors), takes constant time. Immutable; any thread may use it.
class DimensionDistribution {
public:
  /// Throws FormatError "what is wrong, what was expected" (without a place):
  /// - extent < 0 or processors < 1; collapsed over more than one processor;
  /// - gen_block: not one size per processor, a negative size, or a sum below the extent. A sum
  ///   above it is allowed: blocks are cut off at the extent, and those behind it are empty.
  /// - block(n), cyclic(n): n < 1; block(n) also n * processors < extent.
  /// block without a length takes ceil(extent / processors), cyclic without one takes 1.
  DimensionDistribution(const DimensionFormat &format, std::int64_t extent, int processors);

  std::int64_t extent() const { return length; }
  int processors() const { return count; }
  /// Every coordinate owns at most one block, in the order of the coordinates.
  bool contiguous() const { return !boundaries.empty() || period() >= length; }
  /// After how many indices the owners repeat; 0 for gen_block, whose owners do not.
  std::int64_t period() const { return boundaries.empty() ? blockLength * count : 0; }
  /// Blocks of the whole dimension; for gen_block those of length 0, too.
  std::int64_t blocks() const;

  /// What a coordinate owns.
  BlockFamily owned(int coordinate) const;
  std::int64_t localSize(int coordinate) const;
  /// For 0 <= index < extent(): the owner, the index among those that the owner has, and the end
  /// of the block that the index lies in.
  int ownerOf(std::int64_t index) const;
  std::int64_t localIndex(std::int64_t index) const;
  std::int64_t blockEnd(std::int64_t index) const;

private:
  std::int64_t length;
  int count;
  std::int64_t blockLength = 0;         // of block and cyclic
  std::vector<std::int64_t> boundaries; // of gen_block: where each begins, and the extent
};

/// A whole array. Immutable; any thread may use it.
class Distribution {
public:
  /// `formats` and `extents` per dimension; `grid` has a number of processors for each dimension
  /// that is not collapsed. Throws FormatError as DimensionDistribution does, naming the dimension
  /// where there are several, and where the numbers of entries disagree, or the grid or the array
  /// has more elements than an int or an int64 can count.
  Distribution(const std::vector<DimensionFormat> &formats,
               const std::vector<std::int64_t> &extents, const std::vector<int> &grid);

  int ranks() const { return rankCount; }
  std::size_t dimensions() const { return cuts.size(); }
  const DimensionDistribution &dimension(std::size_t at) const { return cuts[at]; }

  /// Where a rank below ranks() stands on a dimension; 0 on a collapsed one.
  int coordinate(int rank, std::size_t dimension) const;
  /// What to add to a rank to get to the next coordinate on a dimension; 0 on a collapsed one.
  int rankStride(std::size_t dimension) const { return strides[dimension]; }
  /// Elements that a rank owns; 0 for ranks beyond the grid.
  std::int64_t localElements(int rank) const;
  /// Indices that a rank owns on a dimension: the shape of its local block, in C order.
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
