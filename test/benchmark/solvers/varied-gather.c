// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A master that collects a few values of each rank by MPI_Gatherv and hands out others by
// MPI_Scatterv, in blocks of different sizes.
//
// Usage: varied-gather [ITERATIONS]
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 4 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *counts = calloc(2 * size, sizeof *counts), *places = counts + size;
  for (int other = 0; other < size; other++)
    counts[other] = 1 + other % most, places[other] = most * other;
  double *all = calloc(most * size, sizeof *all), own[most], total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int item = 0; item < most; item++)
      own[item] = total * 1e-3 + item + iteration * 0.01;
    MPI_Gatherv(own, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int item = 0; rank == 0 && item < most * size; item++)
      all[item] = all[item] * 0.5 + item;
    MPI_Scatterv(all, counts, places, MPI_DOUBLE, own, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int item = 0; item < counts[rank]; item++)
      total = 0.5 * total + 0.1 * own[item];
  }
  double sum = 0;
  MPI_Reduce(&total, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", sum);
  MPI_Finalize();
  return 0;
}
