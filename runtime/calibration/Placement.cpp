// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/Placement.h"

#include <sched.h>

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

/// The number of processors that the ranks of a node may use together; each rank may be bound to
/// some of them.
int processorsOf(MPI_Comm node) {
#ifdef SMPI_H // nodes are simulated
  static_cast<void>(node);
  return 0;
#else
  cpu_set_t own, all;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node);
  return CPU_COUNT(&all);
#endif
}

/// Takes ranks from each node in turn, with nodes in the order of their first rank.
std::vector<int> byTurns(const std::map<int, std::vector<int>> &ranksOfNode) {
  std::vector<int> ranks;
  for (std::size_t turn = 0, before = ~std::size_t{0}; before != ranks.size(); ++turn) {
    before = ranks.size();
    for (const auto &[node, members] : ranksOfNode)
      if (turn < members.size())
        ranks.push_back(members[turn]);
  }
  return ranks;
}

} // namespace

Placement findPlacement() {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int first = rank; // of the node, which it names
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  MPI_Allgather(&first, 1, MPI_INT, nodes.data(), 1, MPI_INT, MPI_COMM_WORLD);

  Placement placement;
  placement.processors = processorsOf(node);
  MPI_Comm_free(&node);
  std::map<int, int> sizes;
  for (int each : nodes)
    placement.ranksPerNode = std::max(placement.ranksPerNode, ++sizes[each]);
  placement.nodes = static_cast<int>(sizes.size());
  // The ranks of each node are consecutive if each node is left only once.
  int changes = 0;
  for (std::size_t each = 1; each < nodes.size(); ++each)
    changes += nodes[each] != nodes[each - 1];
  placement.nodeAfterNode = changes == placement.nodes - 1;

  const auto largest =
      std::max_element(sizes.begin(), sizes.end(), [](const auto &one, const auto &other) {
        return one.second < other.second;
      });
  const int director = largest->first; // a node is named by its first rank
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank == director ? -1 : rank, &placement.communicator);
  placement.worldRanks.push_back(director);
  std::map<int, std::vector<int>> others;
  for (int each = 0; each < ranks; ++each) {
    if (each == director)
      continue;
    const int place = static_cast<int>(placement.worldRanks.size());
    placement.worldRanks.push_back(each);
    const int home = nodes[static_cast<std::size_t>(each)];
    home == director ? placement.within.push_back(place) : others[home].push_back(place);
  }
  placement.between = byTurns(others);
  for (const auto &[home, members] : others)
    if (members.size() > placement.otherNode.size())
      placement.otherNode = members;
  return placement;
}

} // namespace sendwright
