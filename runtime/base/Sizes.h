// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sizes in bytes, in 64 bits, as a count of elements may exceed 2 GiB.

#ifndef SENDWRIGHT_RUNTIME_BASE_SIZES_H
#define SENDWRIGHT_RUNTIME_BASE_SIZES_H

#include <mpi.h>

#include <cstdint>

namespace sendwright {

/// Bytes of `count` elements; 0 if the datatype has no size.
inline std::uint64_t bytesOf(int count, MPI_Datatype datatype) {
  MPI_Count size = 0;
  if (datatype == MPI_DATATYPE_NULL || count <= 0 ||
      PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0)
    return 0;
  return std::uint64_t(count) * std::uint64_t(size);
}

/// Bytes of the message that `status` describes.
inline std::uint64_t receivedBytes(const MPI_Status &status) {
#ifdef SMPI_H // SMPI ends the program if the 64-bit function is called
  int bytes = 0;
  const int result = PMPI_Get_count(&status, MPI_BYTE, &bytes);
#else
  MPI_Count bytes = 0;
  const int result = PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
#endif
  return result != MPI_SUCCESS || bytes < 0 ? 0 : std::uint64_t(bytes);
}

} // namespace sendwright

#endif
