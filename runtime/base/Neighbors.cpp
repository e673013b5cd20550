// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/Neighbors.h"

#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstddef>

namespace sendwright {

namespace {

bool isEachOnce(std::vector<int> ranks) {
  std::erase(ranks, MPI_PROC_NULL);
  std::ranges::sort(ranks);
  return std::ranges::adjacent_find(ranks) == ranks.end();
}

Neighbors inGrid(MPI_Comm communicator) {
  Neighbors found;
  int count = 0;
  PMPI_Cartdim_get(communicator, &count);
  for (int dimension = 0; dimension < count; ++dimension) {
    int before = MPI_PROC_NULL, after = MPI_PROC_NULL;
    PMPI_Cart_shift(communicator, dimension, 1, &before, &after);
    found.sources.insert(found.sources.end(), {before, after});
  }
  found.destinations = found.sources;
  found.eachOnce = isEachOnce(found.sources);
  return found;
}

Neighbors inListedGraph(MPI_Comm communicator) {
  Neighbors found;
  int sources = 0, destinations = 0, weighted = 0;
  PMPI_Dist_graph_neighbors_count(communicator, &sources, &destinations, &weighted);
  found.sources.resize(static_cast<std::size_t>(sources));
  found.destinations.resize(static_cast<std::size_t>(destinations));
  std::vector<int> weights(found.sources.size() + found.destinations.size() + 2);
  PMPI_Dist_graph_neighbors(communicator, sources, found.sources.data(), weights.data(),
                            destinations, found.destinations.data(),
                            weights.data() + found.sources.size() + 1);
  found.eachOnce = isEachOnce(found.sources) && isEachOnce(found.destinations);
  return found;
}

/// An edge in one direction may lack its opposite, so nothing is known about the order.
Neighbors inGraph(MPI_Comm communicator) {
  Neighbors found;
  const int rank = rankIn(communicator);
  int count = 0;
  PMPI_Graph_neighbors_count(communicator, rank, &count);
  found.destinations.resize(static_cast<std::size_t>(count));
  PMPI_Graph_neighbors(communicator, rank, count, found.destinations.data());
  found.sources = found.destinations;
  return found;
}

} // namespace

Neighbors neighborsIn(MPI_Comm communicator) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(communicator, &topology);
  switch (topology) {
  case MPI_CART:
    return inGrid(communicator);
  case MPI_DIST_GRAPH:
    return inListedGraph(communicator);
  case MPI_GRAPH:
    return inGraph(communicator);
  default:
    return {};
  }
}

} // namespace sendwright
