/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SimGrid 3.32 declares graphs of neighbours and their collectives, but ends a program that calls
 * them. These definitions stand in for them, as Open MPI and MPICH do them: all receives and sends
 * at once, then a wait for all. They are PMPI functions, which the runtime's wrappers call, for the
 * program as written and rebuilt alike. A program has one graph. */

#ifndef NEIGHBOURS_ON_SMPI_H
#define NEIGHBOURS_ON_SMPI_H

#include <mpi.h>

#ifdef SMPI_H
#include <string.h>

enum { most_neighbours = 64 };
static int graph_sources[most_neighbours], graph_destinations[most_neighbours], source_count,
    destination_count;
static MPI_Comm graph_comm = MPI_COMM_NULL;

int PMPI_Dist_graph_create_adjacent(MPI_Comm old, int sources, const int *from,
                                    const int *from_weights, int destinations, const int *to,
                                    const int *to_weights, MPI_Info info, int reorder,
                                    MPI_Comm *made) {
  (void)from_weights, (void)to_weights, (void)info, (void)reorder;
  memcpy(graph_sources, from, sources * sizeof *from);
  memcpy(graph_destinations, to, destinations * sizeof *to);
  source_count = sources;
  destination_count = destinations;
  const int error = PMPI_Comm_dup(old, made);
  graph_comm = *made;
  return error;
}

int PMPI_Topo_test(MPI_Comm comm, int *topology) {
  *topology = comm == graph_comm ? MPI_DIST_GRAPH : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *sources, int *destinations, int *weighted) {
  (void)comm;
  *sources = source_count;
  *destinations = destination_count;
  *weighted = 0;
  return MPI_SUCCESS;
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int sources, int *from, int *from_weights,
                              int destinations, int *to, int *to_weights) {
  (void)comm, (void)from_weights, (void)to_weights;
  memcpy(from, graph_sources, sources * sizeof *from);
  memcpy(to, graph_destinations, destinations * sizeof *to);
  return MPI_SUCCESS;
}

int PMPI_Neighbor_alltoallv(const void *out, const int *counts, const int *places,
                            MPI_Datatype type, void *in, const int *in_counts, const int *in_places,
                            MPI_Datatype in_type, MPI_Comm comm) {
  enum { tag = 12345 };
  MPI_Request requests[2 * most_neighbours];
  MPI_Aint least, extent, in_extent;
  PMPI_Type_get_extent(type, &least, &extent);
  PMPI_Type_get_extent(in_type, &least, &in_extent);
  for (int n = 0; n < source_count; n++)
    PMPI_Irecv((char *)in + in_places[n] * in_extent, in_counts[n], in_type, graph_sources[n], tag,
               comm, &requests[n]);
  for (int n = 0; n < destination_count; n++)
    PMPI_Isend((const char *)out + places[n] * extent, counts[n], type, graph_destinations[n], tag,
               comm, &requests[source_count + n]);
  return PMPI_Waitall(source_count + destination_count, requests, MPI_STATUSES_IGNORE);
}
#endif

#endif
