/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Every rank sends each other one a row, through a function in another file (send_row.c). With
 * LATE: a shared library that load_late.c loads. */

#include <mpi.h>

#include <stdio.h>

enum { ITEMS = 8, MOST_RANKS = 16 };

int send_row(const double *row, int count, int to);

void exchange(int rank, int size);

void exchange(int rank, int size) {
  double rows[MOST_RANKS][ITEMS], row[ITEMS], all[MOST_RANKS], sum = 0;
  for (int to = 0; to < size; to++)
    for (int i = 0; i < ITEMS; i++)
      rows[to][i] = rank * 100 + to * 10 + i;
  for (int to = 0; to < size; to++)
    if (to != rank)
      send_row(rows[to], ITEMS, to);
  for (int from = 0; from < size; from++) {
    if (from == rank)
      continue;
    MPI_Recv(row, ITEMS, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = sum * 3 + row[3];
  }
  MPI_Gather(&sum, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < size; from++)
    printf("rank %d: %.3f\n", from, all[from]);
}

#ifndef LATE
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  exchange(rank, size);
  exchange(rank, size);
  MPI_Finalize();
  return 0;
}
#endif
