// Collectives of neighbours go from the profile to the run: where each rank has small blocks for all others, the
// plan sends them through other ranks, and says so at the call; a non-blocking call is left, and a grid in which MPI
// alone knows which block goes where. The replay knows what the calls take as written. The rebuilt program prints
// what the original does, also on another number of ranks, and calls MPI's function only where it was left.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 %s -o %t/original
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: %mpirun 8 %t/original > %t/expected
// RUN: env SENDWRIGHT_PROFILE=%t/p.prof %mpirun 8 %t/profiled > %t/profiled.out
// RUN: cmp %t/expected %t/profiled.out
// RUN: %sendwright simulate %t/p.prof --machine %S/sharing/inputs/latency-bound.json | %FileCheck %s --check-prefix=SIMULATED
// RUN: %sendwright plan --machine %S/sharing/inputs/latency-bound.json %t/p.prof -o %t/p.plan | %FileCheck %s --check-prefix=PLAN
// RUN: %sendwright show %t/p.plan | %FileCheck %s --check-prefix=PLAN
// RUN: %mpicc -O1 -g %use=%t/p.plan -fplugin-arg-sendwright-remarks=all %s -o %t/rebuilt %runtime 2>&1 | %FileCheck %s
// RUN: %mpirun 8 %t/rebuilt > %t/rebuilt.out 2> %t/calls
// RUN: cmp %t/expected %t/rebuilt.out
// RUN: %FileCheck %s --check-prefix=CALLS < %t/calls
// RUN: %mpirun 5 %t/original > %t/five.expected
// RUN: %mpirun 5 %t/rebuilt > %t/five.out
// RUN: cmp %t/five.expected %t/five.out
//
// SIMULATED-NOT: assumed to cost nothing: MPI_Neighbor_alltoallv
// SIMULATED: critical path
// PLAN: MPI_Neighbor_alltoallv at {{.*}}neighbor-collectives.c:[[#]]: replace
// PLAN-NEXT: a rank has data for 7 others on average, and at most 7 blocks leave or reach a rank; sent by {{.*}} us instead of {{.*}} us a call
// PLAN-NEXT: 20 calls on a communicator of 8 ranks
// PLAN: MPI_Ineighbor_alltoallv at {{.*}}neighbor-collectives.c:[[#]]: leave
// PLAN-NEXT: a rank goes on before its blocks have arrived
// PLAN: MPI_Neighbor_alltoall at {{.*}}neighbor-collectives.c:[[#]]: leave
// PLAN-NEXT: MPI alone knows which goes where
// CHECK: neighbor-collectives.c:[[#]]:5: remark: MPI_Neighbor_alltoallv done by 'irregular-collectives' for 8 ranks: a rank has data for 7 others
// CALLS: 0 calls of MPI's function

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int left_to_mpi;

int PMPI_Neighbor_alltoallv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in,
                            const int *in_counts, const int *in_places, MPI_Datatype in_type, MPI_Comm comm) {
  int (*next)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
              MPI_Datatype, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Neighbor_alltoallv");
  ++left_to_mpi;
  return next(out, counts, places, type, in, in_counts, in_places, in_type, comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, counts[8], places[8], to[8], from[8], extents[1], ring[1] = {1};
  double out[16], in[16] = {0}, sum = 0, whole = 0;
  MPI_Comm graph, pairs;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int n = 0; n < size - 1; ++n) {
    to[n] = (rank + 1 + n) % size;
    from[n] = (rank + size - 1 - n) % size;
    counts[n] = 1;
    places[n] = 2 * n;
    out[2 * n] = rank * 100 + n;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size - 1, from, MPI_UNWEIGHTED, size - 1, to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  extents[0] = 2; // each rank of these is the other's neighbour twice
  MPI_Cart_create(MPI_COMM_WORLD, 1, extents, ring, 0, &pairs);
  for (int iteration = 0; iteration < 20; ++iteration) {
    MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, graph);
    for (int n = 0; n < size - 1; ++n)
      sum += in[2 * n] * (n + 1) + iteration, out[2 * n] += 1;
    MPI_Ineighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int n = 0; n < size - 1; ++n)
      sum += in[2 * n] * (n + 2);
    if (pairs != MPI_COMM_NULL) {
      MPI_Neighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, pairs);
      sum += in[0] + in[1]; // in either order
    }
  }
  MPI_Reduce(&sum, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%.17g\n", whole);
    fprintf(stderr, "%d calls of MPI's function\n", left_to_mpi);
  }
  MPI_Finalize();
}
