// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halo of a mesh that is split into a block for each rank: up to 26 neighbours in a graph,
// whose values travel in MPI_Neighbor_alltoallv.
//
// Usage: neighbour-halo [ITERATIONS [BYTES [SUMS]]]: 200 iterations, 8 bytes for each neighbour, no
// sums over all ranks
//
// Prints a sum of all that was received.

#include "neighbours-on-smpi.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbours = 26 };

static int neighbour[neighbours], count;

static void find_neighbours(void) {
  int ranks, rank, extents[3] = {0, 0, 0}, me[3];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(ranks, 3, extents);
  me[0] = rank / (extents[1] * extents[2]);
  me[1] = rank / extents[2] % extents[1];
  me[2] = rank % extents[2];
  for (int place = 0; place < 27; place++) {
    const int to[3] = {me[0] + place / 9 - 1, me[1] + place / 3 % 3 - 1, me[2] + place % 3 - 1};
    int inside = place != 13;
    for (int axis = 0; axis < 3; axis++)
      inside = inside && to[axis] >= 0 && to[axis] < extents[axis];
    if (inside)
      neighbour[count++] = (to[0] * extents[1] + to[1]) * extents[2] + to[2];
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200, bytes = argc > 2 ? atoi(argv[2]) : 8;
  const int sums = argc > 3 ? atoi(argv[3]) : 0, doubles = bytes / (int)sizeof(double);
  int rank, counts[neighbours], places[neighbours];
  MPI_Comm graph;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  find_neighbours();
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, neighbour, MPI_UNWEIGHTED, count, neighbour,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  double *out = calloc(2 * neighbours * doubles, sizeof *out), *in = out + neighbours * doubles;
  for (int n = 0; n < count; n++)
    counts[n] = doubles, places[n] = n * doubles;

  double total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int item = 0; item < count * doubles; item++)
      out[item] = total * 1e-3 + rank + item * 0.1 + iteration * 0.01;
    MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, graph);
    for (int item = 0; item < count * doubles; item++)
      total = 0.5 * total + 0.1 * in[item];
    for (int sum = 0; sum < sums; sum++) {
      double of_all = 0;
      MPI_Allreduce(&total, &of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      total = total / 3 + of_all * 1e-6;
    }
  }
  double all = 0;
  MPI_Reduce(&total, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", all);
  MPI_Finalize();
  return 0;
}
