// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks share a node, and who directs the measurements: a rank of a node that has the most.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_PLACEMENT_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_PLACEMENT_H

#include <mpi.h>

#include <vector>

namespace sendwright {

struct Placement {
  MPI_Comm communicator = MPI_COMM_NULL; ///< of all ranks; the director is rank 0; to be freed
  std::vector<int> worldRanks;           ///< in MPI_COMM_WORLD, of each rank of the communicator
  std::vector<int> within;  ///< ranks of the communicator on the director's node, without itself
  std::vector<int> between; ///< the others, node after node by turns: neighbours are on two nodes
  int nodes = 0;
  int ranksPerNode = 0;      ///< the most on one node
  int processors = 0;        ///< that ranks of the director's node may use; 0: unknown
  bool nodeAfterNode = true; ///< the ranks of every node are consecutive, as machine files assume
};

/// Collective over MPI_COMM_WORLD. Every rank gets the same but for `processors`, which is that of
/// its own node.
Placement findPlacement();

} // namespace sendwright

#endif
