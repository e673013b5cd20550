// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbours of this process in a communicator's topology.

#ifndef SENDWRIGHT_RUNTIME_BASE_NEIGHBORS_H
#define SENDWRIGHT_RUNTIME_BASE_NEIGHBORS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

/// Ranks in the communicator, in the order of the blocks of its collectives; MPI_PROC_NULL where a
/// Cartesian grid ends.
struct Neighbors {
  std::vector<int> sources, destinations;
  /// Whether no rank is a source or a destination twice, so that it is clear which block goes
  /// where: implementations of MPI match several blocks of one pair of ranks in different orders.
  /// False for graphs of MPI_Graph_create. Ranks may find different answers.
  bool eachOnce = false;
};

/// Empty without a topology. Linear in the neighbours, plus MPI's own cost.
Neighbors neighborsIn(MPI_Comm communicator);

} // namespace sendwright

#endif
