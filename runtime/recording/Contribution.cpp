// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much one rank contributes to a collective.

#include "runtime/base/Neighbors.h"
#include "runtime/base/Sizes.h"
#include "runtime/recording/RecordedCall.h"

namespace sendwright {

namespace {

bool isInter(MPI_Comm communicator) {
  int inter = 0;
  PMPI_Comm_test_inter(communicator, &inter);
  return inter != 0;
}

} // namespace

int rankCount(MPI_Comm communicator) {
  int count = 0;
  PMPI_Comm_size(communicator, &count);
  return count;
}

int neighborCount(MPI_Comm communicator) {
  return static_cast<int>(neighborsIn(communicator).destinations.size());
}

std::uint64_t contribution(MPI_Comm communicator, const void *buffer, int count,
                           MPI_Datatype datatype) {
  return buffer == MPI_IN_PLACE || isInter(communicator) ? 0 : bytesOf(count, datatype);
}

std::uint64_t contribution(MPI_Comm communicator, const void *buffer, const int counts[],
                           MPI_Datatype datatype, int partners) {
  if (buffer == MPI_IN_PLACE || isInter(communicator))
    return 0;
  std::uint64_t elements = 0;
  for (int partner = 0; partner < partners; ++partner)
    elements += counts[partner];
  return elements * bytesOf(1, datatype);
}

std::uint64_t contribution(MPI_Comm communicator, const void *buffer, const int counts[],
                           const MPI_Datatype datatypes[], int partners) {
  if (buffer == MPI_IN_PLACE || isInter(communicator))
    return 0;
  std::uint64_t bytes = 0;
  for (int partner = 0; partner < partners; ++partner)
    bytes += bytesOf(counts[partner], datatypes[partner]);
  return bytes;
}

} // namespace sendwright
