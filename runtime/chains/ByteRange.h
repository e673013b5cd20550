// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of memory that a message may occupy.

#ifndef SENDWRIGHT_RUNTIME_CHAINS_BYTERANGE_H
#define SENDWRIGHT_RUNTIME_CHAINS_BYTERANGE_H

#include <mpi.h>

#include <cstdint>

namespace sendwright::chains {

struct ByteRange {
  std::uintptr_t begin = 0, end = 0; ///< empty where both are the same
  bool empty() const { return begin == end; }
  bool meets(const ByteRange &other) const {
    return !empty() && !other.empty() && begin < other.end && other.begin < end;
  }
};

inline ByteRange rangeOf(const void *address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return {begin, begin + size};
}

/// From the first to the last byte of a buffer of `count` elements, gaps included. Returns false
/// where MPI does not say.
inline bool rangeOf(const void *buffer, int count, MPI_Datatype datatype, ByteRange &range) {
  MPI_Aint least = 0, extent = 0, trueLeast = 0, trueExtent = 0;
  if (count < 0 || datatype == MPI_DATATYPE_NULL ||
      PMPI_Type_get_extent(datatype, &least, &extent) != MPI_SUCCESS ||
      PMPI_Type_get_true_extent(datatype, &trueLeast, &trueExtent) != MPI_SUCCESS)
    return false;
  range = {};
  if (count == 0 || trueExtent == 0)
    return true;
  const MPI_Aint last = (count - 1) * extent; // an extent may be negative
  const auto base = reinterpret_cast<std::uintptr_t>(buffer);
  range.begin = base + static_cast<std::uintptr_t>(trueLeast + (last < 0 ? last : 0));
  range.end = base + static_cast<std::uintptr_t>(trueLeast + trueExtent + (last > 0 ? last : 0));
  return true;
}

} // namespace sendwright::chains

#endif
