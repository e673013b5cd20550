// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbours of this process in a communicator's topology.

#ifndef SENDWRIGHT_RUNTIME_BASE_NEIGHBORS_H
#define SENDWRIGHT_RUNTIME_BASE_NEIGHBORS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

/// Ranks in the communicator, in the order of the blocks of its collectives; MPI_PROC_NULL where a
/// Cartesian grid ends. A rank may be there more than once.
struct Neighbors {
  std::vector<int> sources, destinations;
  /// Whether, on every MPI, the k-th block for a rank is the k-th block that it expects. In a
  /// periodic dimension of a Cartesian grid with less than three ranks, a rank is a neighbour
  /// twice, and implementations differ in which block goes where. All ranks find the same.
  bool matchInOrder = false;
};

/// Empty without a topology. Linear in the neighbours, plus MPI's own cost.
Neighbors neighborsIn(MPI_Comm communicator);

} // namespace sendwright

#endif
