// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank sends, or what it receives, in a collective with a block for each partner, as the
// program's arguments say it: MPI_Alltoallv, MPI_Neighbor_allgather, ..., with counts of any type.
// Arguments are only read when a block is asked for.

#ifndef SENDWRIGHT_RUNTIME_BASE_BLOCKSIDE_H
#define SENDWRIGHT_RUNTIME_BASE_BLOCKSIDE_H

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sendwright {

/// Arrays stay the program's.
class BlockSide {
public:
  /// Partners have one block each, and all blocks are of one type: places are in its extents.
  template <typename Count, typename Place>
  BlockSide(const void *buffer, const Count *counts, const Place *places, MPI_Datatype type)
      : BlockSide(buffer, counts, places) {
    single = type;
  }
  /// Each block has its own type: places are in bytes.
  template <typename Count, typename Place>
  BlockSide(const void *buffer, const Count *counts, const Place *places, const MPI_Datatype *types)
      : BlockSide(buffer, counts, places) {
    eachType = types;
    isTyped = true;
  }
  /// Blocks of one size lie one after another.
  static BlockSide oneForEach(const void *buffer, MPI_Count count, MPI_Datatype type) {
    return {buffer, count, type, true};
  }
  /// All partners get the same block.
  static BlockSide oneForAll(const void *buffer, MPI_Count count, MPI_Datatype type) {
    return {buffer, count, type, false};
  }

  const void *buffer() const { return memory; }
  /// Whether no array is missing.
  bool isComplete() const { return counts ? places && (!isTyped || eachType) : !hasArrays; }
  bool eachHasType() const { return isTyped; }

  // Of the block for the partner with that index.
  MPI_Count count(std::size_t index) const {
    return hasArrays ? at(counts, countBytes, index) : one;
  }
  MPI_Datatype type(std::size_t index) const { return isTyped ? eachType[index] : single; }
  /// Bytes from the buffer on; `extent`: of the block's type.
  MPI_Aint place(std::size_t index, MPI_Aint extent) const {
    if (hasArrays)
      return static_cast<MPI_Aint>(at(places, placeBytes, index)) * (isTyped ? 1 : extent);
    return isApart ? static_cast<MPI_Aint>(index) * static_cast<MPI_Aint>(one) * extent : 0;
  }
  /// Without gaps; 0 if MPI would refuse the block.
  std::uint64_t bytes(std::size_t index) const {
    MPI_Count size = 0;
    if (count(index) <= 0 || type(index) == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(type(index), &size) != MPI_SUCCESS || size < 0)
      return 0;
    return static_cast<std::uint64_t>(count(index)) * static_cast<std::uint64_t>(size);
  }

private:
  template <typename Count, typename Place>
  BlockSide(const void *buffer, const Count *counts, const Place *places)
      : memory(buffer), counts(counts), places(places), countBytes(sizeof(Count)),
        placeBytes(sizeof(Place)), hasArrays(true) {}
  BlockSide(const void *buffer, MPI_Count count, MPI_Datatype type, bool isApart)
      : memory(buffer), single(type), one(count), isApart(isApart) {}

  /// The number at that place of an array whose elements have so many bytes.
  static MPI_Count at(const void *numbers, std::size_t bytes, std::size_t index) {
    const std::byte *from = static_cast<const std::byte *>(numbers) + index * bytes;
    if (bytes == sizeof(int)) {
      int number = 0;
      std::memcpy(&number, from, sizeof number);
      return number;
    }
    std::int64_t number = 0;
    static_assert(sizeof(MPI_Count) == sizeof number && sizeof(MPI_Aint) == sizeof number);
    std::memcpy(&number, from, sizeof number);
    return number;
  }

  const void *memory;
  const void *counts = nullptr, *places = nullptr;
  std::size_t countBytes = 0, placeBytes = 0;
  bool hasArrays = false, isTyped = false;
  const MPI_Datatype *eachType = nullptr;
  MPI_Datatype single = MPI_DATATYPE_NULL;
  MPI_Count one = 0;
  bool isApart = false;
};

} // namespace sendwright

#endif
