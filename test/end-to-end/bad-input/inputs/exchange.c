/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Every rank sends to all others in ascending order. Exit status 3. */

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SEND
#define SEND(buffer, to) MPI_Send(buffer, ITEMS, MPI_UNSIGNED, to, 7, MPI_COMM_WORLD)
#else
int send_to(const unsigned *buffer, int count, int to);
#endif

enum { ITEMS = 4, MOST_RANKS = 16 };

static unsigned work(unsigned value, int amount) {
  for (int i = 0; i < amount; i++)
    value = value * 1664525u + 1013904223u;
  return value;
}

int main(int argc, char **argv) {
  int rank, size;
  unsigned send[MOST_RANKS][ITEMS], receive[MOST_RANKS][ITEMS], sum = 1;
  MPI_Request requests[MOST_RANKS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int iteration = 0; iteration < 5; iteration++) {
    memset(receive, 0, sizeof receive);
    for (int i = 0; i < size; i++)
      MPI_Irecv(receive[i], ITEMS, MPI_UNSIGNED, i == rank ? MPI_PROC_NULL : i, 7, MPI_COMM_WORLD,
                &requests[i]);
    for (int i = 0; i < size; i++) {
      if (i == rank)
        continue;
      for (int j = 0; j < ITEMS; j++)
        send[i][j] = sum + (unsigned)(100 * i + j);
      SEND(send[i], i);
    }
    MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++)
      sum = sum * 31 + work(receive[i][ITEMS - 1], 100);
    if (argc > 1 && !strcmp(argv[1], "abort") && rank == 1 && iteration == 3)
      MPI_Abort(MPI_COMM_WORLD, 9);
    if (argc > 1 && !strcmp(argv[1], "crash") && rank == 1 && iteration == 3)
      abort();
    if (argc > 1 && !strcmp(argv[1], "leave") && iteration == 3)
      _Exit(5);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  unsigned all[MOST_RANKS];
  MPI_Gather(&sum, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; i++)
    printf("rank %d: %u\n", i, all[i]);
  fflush(stdout);
  MPI_Finalize();
  return 3;
}
