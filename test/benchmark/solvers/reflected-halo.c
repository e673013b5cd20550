// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A halo around blocks of a cube, filled by a directive: each rank exchanges cells with 26 others.
//
// Usage: reflected-halo [ITERATIONS [EDGE]]: 200 iterations with blocks of 2 cells in each
// dimension
//
// Prints a sum of all cells.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, ranks, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while ((side + 1) * (side + 1) * (side + 1) <= ranks)
    ++side;
  const int iterations = argc > 1 ? atoi(argv[1]) : 200, edge = argc > 2 ? atoi(argv[2]) : 2;
  const int extent = side * edge, wide = edge + 2;
  double *cells = calloc((size_t)wide * (size_t)wide * (size_t)wide, sizeof *cells);
#pragma hpf processors P(side, side, side)
#pragma hpf distribute cells(block, block, block) onto P extent(extent, extent, extent)
#pragma hpf shadow cells(1, 1, 1)
#define CELL(i, j, k) cells[((i) * wide + (j)) * wide + (k)]
  for (int i = 1; i <= edge; ++i)
    for (int j = 1; j <= edge; ++j)
      for (int k = 1; k <= edge; ++k)
        CELL(i, j, k) = rank * 100 + i * 16 + j * 4 + k;
  for (int iteration = 0; iteration < iterations; ++iteration) {
#pragma hpf reflect cells periodic corners
    CELL(1, 1, 1) = 0.5 * CELL(0, 0, 0) + 0.25 * CELL(wide - 1, wide - 1, wide - 1);
    CELL(edge, 1, edge) = 0.5 * CELL(wide - 1, 0, 1) + 0.125 * CELL(1, wide - 1, 0);
  }
  double sum = 0, all = 0;
  for (int i = 1; i <= edge; ++i)
    for (int j = 1; j <= edge; ++j)
      for (int k = 1; k <= edge; ++k)
        sum += CELL(i, j, k);
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", all);
  free(cells);
  MPI_Finalize();
  return 0;
}
