// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an array is distributed over processors, as High Performance Fortran 2.0 defines it.
//
// Each dimension is cut independently: into blocks of given sizes (gen_block), into blocks of one
// size, one for each processor (block), into blocks dealt out in turn (cyclic), by a map that names
// the owner of each index (indirect), or not at all (*). The dimensions that are cut lie on the
// dimensions of a grid of processors, in order; the grid's places count in C order, the last
// dimension fastest, and lie on ranks at equal distances. A processor keeps its elements as one
// dense local block in C order: in each dimension the indices that it owns, ascending.
//
// block is cyclic with blocks so large that no processor gets a second one, so three forms suffice:
// boundaries (gen_block), a block length (block, cyclic), and intervals with an owner each
// (indirect).

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_DISTRIBUTION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// One dimension as written in a directive.
struct DimensionFormat {
  enum class Kind { Collapsed, Block, Cyclic, GenBlock, Indirect };
  Kind kind = Kind::Collapsed;
  std::int64_t blockLength = 0; ///< block(n), cyclic(n); 0: not given
  /// gen_block: one for each processor; indirect: the owner of each index, from 0.
  std::vector<std::int64_t> sizes;

  static DimensionFormat collapsed() { return {}; }
  static DimensionFormat block(std::int64_t length = 0) { return {Kind::Block, length, {}}; }
  static DimensionFormat cyclic(std::int64_t length = 0) { return {Kind::Cyclic, length, {}}; }
  static DimensionFormat genBlock(std::vector<std::int64_t> sizes) {
    return {Kind::GenBlock, 0, std::move(sizes)};
  }
  static DimensionFormat indirect(std::vector<std::int64_t> owners) {
    return {Kind::Indirect, 0, std::move(owners)};
  }
};

/// On which ranks the processors of a grid lie: the processor at place i on rank first + i *
/// stride.
struct GridRanks {
  int first = 0, stride = 1; ///< at least 0, at least 1
  bool operator==(const GridRanks &) const = default;
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
/// coordinates. All members take constant time, except the constructor, and the members that take
/// an index: for gen_block O(log processors), for indirect O(log intervals). Immutable; any thread
/// may use it.
class DimensionDistribution {
public:
  /// Throws FormatError "what is wrong, what was expected" (without a place):
  /// - extent < 0 or processors < 1; collapsed over more than one processor;
  /// - gen_block: not one size for each processor, a negative size, or a sum below the extent. A
  ///   sum above the extent is allowed: blocks are cut off at the extent, and blocks beyond it are
  ///   empty.
  /// - block(n), cyclic(n): n < 1; block(n) also n * processors < extent;
  /// - indirect: some index has no owner, or its owner is not one of the processors.
  /// Without a length, block uses ceil(extent / processors) and cyclic uses 1.
  DimensionDistribution(const DimensionFormat &format, std::int64_t extent, int processors);

  std::int64_t extent() const { return length; }
  int processors() const { return count; }
  /// Every coordinate owns at most one block, in the order of the coordinates.
  bool contiguous() const { return !mapped() && (!boundaries.empty() || period() >= length); }
  /// A map says who owns what (indirect): what a coordinate owns is not a family.
  bool mapped() const { return !intervalOwners.empty(); }
  /// The number of indices after which the owners repeat; 0 for gen_block and indirect, whose
  /// owners do not repeat.
  std::int64_t period() const { return boundaries.empty() ? blockLength * count : 0; }
  /// Blocks of the whole dimension, including empty blocks of gen_block.
  std::int64_t blocks() const;

  /// What a coordinate owns. Not if mapped().
  BlockFamily owned(int coordinate) const;
  /// Calls visit(begin, end) for every block of a coordinate, in order, until it returns false.
  template <typename Visit> void forEachBlock(int coordinate, Visit visit) const;
  std::int64_t localSize(int coordinate) const;
  /// For 0 <= index < extent(): the owner, the index's position among the owner's indices, and the
  /// end of the block that contains the index.
  int ownerOf(std::int64_t index) const;
  std::int64_t localIndex(std::int64_t index) const;
  std::int64_t blockEnd(std::int64_t index) const;

private:
  std::int64_t length;
  int count;
  std::int64_t blockLength = 0; // of block and cyclic
  // gen_block and indirect: where each block or interval begins, and the extent.
  std::vector<std::int64_t> boundaries;
  // indirect: each interval's owner and the local index of its first index; each coordinate's
  // intervals, and how much it owns.
  std::vector<int> intervalOwners;
  std::vector<std::int64_t> intervalLocals;
  std::vector<std::vector<std::uint32_t>> intervalsOf;
  std::vector<std::int64_t> mappedSizes;

  void mapOwners(const std::vector<std::int64_t> &owners);
  std::size_t intervalAt(std::int64_t index) const;
};

template <typename Visit>
void DimensionDistribution::forEachBlock(int coordinate, Visit visit) const {
  if (mapped()) {
    for (const std::uint32_t interval : intervalsOf[static_cast<std::size_t>(coordinate)])
      if (!visit(boundaries[interval], boundaries[interval + 1]))
        return;
    return;
  }
  const BlockFamily family = owned(coordinate);
  for (std::int64_t i = 0; i < family.count; ++i) {
    const std::int64_t begin = family.first + i * family.stride;
    if (!visit(begin, i + 1 == family.count ? family.end : begin + family.length))
      return;
  }
}

/// A whole array. Immutable; any thread may use it.
class Distribution {
public:
  /// `formats` and `extents` have an entry for each dimension, `grid` a number of processors for
  /// each dimension that is not collapsed. Throws FormatError as DimensionDistribution does (naming
  /// the dimension if there are several), if the numbers of entries disagree, if the grid has more
  /// processors than an int can count or lies on ranks beyond that, or if the array has more
  /// elements than an int64 can count.
  Distribution(const std::vector<DimensionFormat> &formats,
               const std::vector<std::int64_t> &extents, const std::vector<int> &grid,
               GridRanks on = {});

  /// One more than the last rank of the grid.
  int ranks() const { return on.first + (processorCount - 1) * on.stride + 1; }
  int processors() const { return processorCount; }
  const GridRanks &gridRanks() const { return on; }
  /// The rank of a place of the grid, and the place of a rank: -1 for ranks that are not of the
  /// grid.
  int rankAt(int place) const { return on.first + place * on.stride; }
  int placeOf(int rank) const;
  std::size_t dimensions() const { return cuts.size(); }
  const DimensionDistribution &dimension(std::size_t at) const { return cuts[at]; }

  /// The coordinate of a rank of the grid on a dimension; 0 on a collapsed dimension.
  int coordinate(int rank, std::size_t dimension) const;
  /// The distance from a rank to its neighbour on a dimension; 0 on a collapsed dimension.
  int rankStride(std::size_t dimension) const { return strides[dimension] * on.stride; }
  /// Elements that a rank owns; 0 for ranks that are not of the grid.
  std::int64_t localElements(int rank) const;
  /// Indices that a rank of the grid owns on a dimension: the shape of its local block.
  std::int64_t localSize(int rank, std::size_t dimension) const {
    return cuts[dimension].localSize(coordinate(rank, dimension));
  }

private:
  std::vector<DimensionDistribution> cuts;
  std::vector<int> strides;
  int processorCount = 1;
  GridRanks on;
};

} // namespace sendwright

#endif
