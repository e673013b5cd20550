// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/CommunicationGraph.h"

#include "analysis/epochs/graph/CollectiveSequences.h"
#include "analysis/epochs/graph/GraphBuilder.h"

namespace sendwright {

CommunicationGraph buildCommunicationGraph(const Profile &profile, const TraceLocation &locate) {
  return GraphBuilder(profile, locate).whole();
}

std::uint64_t positionOf(const Profile &profile, const CommunicationGraph &graph, Node node) {
  const std::uint32_t rank = graph.rank(node);
  Node reached = graph.begin[rank] + 1;
  std::uint64_t position = 0;
  profile.ranks[rank].sequence.forEach([&](std::uint32_t event) {
    // Calls without a node (nothing to complete, MPI_PROC_NULL) do not match the next node's event.
    while (reached <= node && graph.types[graph.type[reached]].event == event) {
      const bool last =
          !graph.types[graph.type[reached]].exchange || graph.types[graph.type[reached]].part == 2;
      if (reached == node)
        return false;
      ++reached;
      if (last)
        break;
    }
    ++position;
    return true;
  });
  return position;
}

} // namespace sendwright
