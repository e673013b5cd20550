// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much one rank contributes to a collective.

#include "runtime/base/Sizes.h"
#include "runtime/base/WorldRanks.h"
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
  int topology = MPI_UNDEFINED, count = 0;
  PMPI_Topo_test(communicator, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(communicator, &count);
    count *= 2;
  } else if (topology == MPI_DIST_GRAPH) {
    int sources = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(communicator, &sources, &count, &weighted);
  } else if (topology == MPI_GRAPH) {
    const int rank = rankIn(communicator);
    PMPI_Graph_neighbors_count(communicator, rank, &count);
  }
  return count;
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
