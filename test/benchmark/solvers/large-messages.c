// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank sends a large message to each rank that is near enough, by MPI_Send and by ascending
// rank, so that all turn to the same receivers first.
//
// Usage: large-messages [ITERATIONS [BYTES [DISTANCE]]]: 10 iterations of 100000 bytes to all ranks
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int is_near(int rank, int other, int ranks, int distance) {
  const int apart = abs(rank - other);
  return apart > 0 && (apart <= distance || ranks - apart <= distance);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 10, bytes = argc > 2 ? atoi(argv[2]) : 100000;
  const int distance = argc > 3 ? atoi(argv[3]) : ranks;
  const int length = bytes / (int)sizeof(double);
  if (length < 1 || distance < 1)
    MPI_Abort(MPI_COMM_WORLD, 1);
  double *out = calloc((size_t)length, sizeof *out);
  double *in = calloc((size_t)length * (size_t)ranks, sizeof *in);
  MPI_Request *requests = malloc((size_t)ranks * sizeof *requests);
  double sum = 0, total = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    int posted = 0;
    for (int index = 0; index < length; index++)
      out[index] = rank + index + sum / 16;
    for (int other = 0; other < ranks; other++)
      if (is_near(rank, other, ranks, distance))
        MPI_Irecv(in + (size_t)length * (size_t)other, length, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                  &requests[posted++]);
    for (int other = 0; other < ranks; other++)
      if (is_near(rank, other, ranks, distance))
        MPI_Send(out, length, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
    sum = 0;
    for (int other = 0; other < ranks; other++)
      sum += in[(size_t)length * (size_t)other + (size_t)(iteration % length)];
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %.17g\n", total);
  free(out);
  free(in);
  free(requests);
  MPI_Finalize();
  return 0;
}
