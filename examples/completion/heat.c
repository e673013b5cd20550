/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Heat that spreads over a plate whose rows are divided among the ranks. In each step a rank sends
 * its last row down and its first row up, with MPI_Send, and only then receives. Rows are too long
 * to leave before their receive is posted, so the lowest rank receives first, then the rank above
 * it can go on to receive, and so on: in each step all ranks wait for one another in a line.
 *
 * Usage: heat [COLUMNS [ROWS [STEPS]]]      columns (4096), rows of a rank (4), steps (50)
 *
 * Standard output says how warm the plate is at the end. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, columns, rows;
static double *plate, *next; /* rows + 2 rows; the first and the last are those of the neighbours */

static double *row(double *of, int index) { return of + (size_t)index * columns; }

static void step(void) {
  for (int y = 1; y <= rows; y++)
    for (int x = 1; x < columns - 1; x++)
      row(next, y)[x] = 0.25 * (row(plate, y - 1)[x] + row(plate, y + 1)[x] + row(plate, y)[x - 1] +
                                row(plate, y)[x + 1]);
  double *old = plate;
  plate = next;
  next = old;
}

static void spread(int steps) {
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int i = 0; i < steps; i++) {
    MPI_Send(row(plate, rows), columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD);
    MPI_Recv(row(plate, 0), columns, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(row(plate, 1), columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD);
    MPI_Recv(row(plate, rows + 1), columns, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    step();
  }
}

/* The sum over all ranks, in the same order whoever comes first. */
static double warmth(void) {
  double sum = 0;
  if (rank > 0)
    MPI_Recv(&sum, 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int y = 1; y <= rows; y++)
    for (int x = 0; x < columns; x++)
      sum += row(plate, y)[x];
  MPI_Send(&sum, 1, MPI_DOUBLE, rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 2, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  columns = argc > 1 ? atoi(argv[1]) : 4096;
  rows = argc > 2 ? atoi(argv[2]) : 4;
  const int steps = argc > 3 ? atoi(argv[3]) : 50;
  plate = calloc((size_t)(rows + 2) * columns, sizeof *plate);
  next = calloc((size_t)(rows + 2) * columns, sizeof *next);
  for (int y = 1; y <= rows; y++) {
    row(plate, y)[0] = row(next, y)[0] = 100;
    for (int x = 1; x < columns - 1; x++)
      row(plate, y)[x] = (rank * rows + y) * 31 % 17 + x % 5;
  }
  spread(steps);
  const double sum = warmth();
  if (rank == size - 1)
    printf("warmth %.17g\n", sum);
  free(plate);
  free(next);
  MPI_Finalize();
}
