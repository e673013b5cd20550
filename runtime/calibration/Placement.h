// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks share a node, and who directs the measurements: a rank on a node with the most ranks.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_PLACEMENT_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_PLACEMENT_H

#include <mpi.h>

#include <vector>

namespace sendwright {

struct Placement {
  MPI_Comm communicator = MPI_COMM_NULL; ///< of all ranks; rank 0 directs; the caller frees it
  std::vector<int> worldRanks;           ///< in MPI_COMM_WORLD, of the ranks of `communicator`
  std::vector<int> within;    ///< ranks of `communicator` on the director's node, without it
  std::vector<int> between;   ///< the others, from each node in turn: neighbours are on two nodes
  std::vector<int> otherNode; ///< those on another node with the most ranks; empty: there is none
  int nodes = 0;
  int ranksPerNode = 0;      ///< of the node with the most
  int processors = 0;        ///< available to ranks of the director's node; 0: unknown
  bool nodeAfterNode = true; ///< the ranks of every node are consecutive, as machine files assume
};

/// Collective over MPI_COMM_WORLD. Every rank gets the same, except for `processors`, which
/// describes its own node.
Placement findPlacement();

} // namespace sendwright

#endif
