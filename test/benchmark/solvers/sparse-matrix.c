// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with a sparse matrix whose pattern is random: any rank may have a few values for any
// other, and a number says which matrix it is. Beside it, sums over all ranks.
//
// Usage: sparse-matrix [ITERATIONS [PERCENT [BYTES [MATRIX [SUMS]]]]]: 200 iterations, in each
// messages of 8 bytes to 40 percent of the ranks, of matrix 1, and 1 sum
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned matrix = 1;
static int percent = 40, bytes = 8, ranks, rank;

static int sends(int from, int to) {
  unsigned value = matrix * 2654435761u ^ (unsigned)from * 40503u ^ (unsigned)to * 2246822519u;
  value ^= value >> 15;
  value *= 2246822519u;
  value ^= value >> 13;
  value *= 3266489917u;
  value ^= value >> 16;
  return from != to && (int)(value % 100) < percent;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200;
  if (argc > 2)
    percent = atoi(argv[2]);
  if (argc > 3)
    bytes = atoi(argv[3]);
  if (argc > 4)
    matrix = (unsigned)atoi(argv[4]);
  const int sums = argc > 5 ? atoi(argv[5]) : 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int doubles = bytes / (int)sizeof(double);
  double *in = calloc((size_t)ranks * doubles, sizeof *in),
         *out = calloc((size_t)ranks * doubles, sizeof *out);
  MPI_Request *requests = malloc(2 * (size_t)ranks * sizeof *requests);
  int *from = malloc((size_t)ranks * sizeof *from), *to = malloc((size_t)ranks * sizeof *to);
  int sources = 0, destinations = 0;
  for (int step = 1; step < ranks; step++) {
    const int other = (rank + step) % ranks;
    if (sends(other, rank))
      from[sources++] = other;
    if (sends(rank, other))
      to[destinations++] = other;
  }

  double total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int n = 0; n < destinations; n++)
      for (int place = 0; place < doubles; place++)
        out[n * doubles + place] = iteration + rank + 0.5 * n + place;
    int count = 0;
    for (int n = 0; n < sources; n++)
      MPI_Irecv(in + n * doubles, doubles, MPI_DOUBLE, from[n], 0, MPI_COMM_WORLD,
                &requests[count++]);
    for (int n = 0; n < destinations; n++)
      MPI_Isend(out + n * doubles, doubles, MPI_DOUBLE, to[n], 0, MPI_COMM_WORLD,
                &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int n = 0; n < sources * doubles; n++)
      total += in[n];
    for (int sum = 0; sum < sums; sum++) {
      double mine = total / ranks, all;
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      total = 0.5 * total + 1e-3 * all;
    }
  }
  double all;
  MPI_Allreduce(&total, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", all);
  MPI_Finalize();
}
