/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Executes a schedule written by schedule-benchmark: every rank begins its sends and waits for
 * its receives in the order of the file. Rank 0 prints a line at the end.
 *
 *     execute FILE */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int me, requests = 0, rank, peer, message;
  long bytes, capacity = 1;
  char what;
  static MPI_Request pending[1 << 12];
  char *sent, *received;
  FILE *file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (file == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  while (fscanf(file, "%d %c %d %ld %d", &rank, &what, &peer, &bytes, &message) == 5)
    if (bytes > capacity)
      capacity = bytes;
  sent = calloc((size_t)capacity, 1);
  received = calloc((size_t)capacity, 1);
  if (sent == NULL || received == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  rewind(file);
  while (fscanf(file, "%d %c %d %ld %d", &rank, &what, &peer, &bytes, &message) == 5) {
    if (rank != me)
      continue;
    if (what == 's' && requests < 1 << 12)
      MPI_Isend(sent, (int)bytes, MPI_BYTE, peer, message, MPI_COMM_WORLD, &pending[requests++]);
    else
      MPI_Recv(received, (int)bytes, MPI_BYTE, peer, message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(requests, pending, MPI_STATUSES_IGNORE);
  fclose(file);
  free(sent);
  free(received);
  if (me == 0)
    printf("done\n");
  MPI_Finalize();
  return 0;
}
