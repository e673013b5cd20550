// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of ranks that exchange with one or two neighbours, and may compute between: message
// sharing gains nothing here.
//
// Usage: few-neighbours [ITERATIONS [NEIGHBOURS [BYTES [MICROSECONDS [SUMS]]]]]: 200 iterations
// with 1 neighbour, 8 bytes, no computation and no sum over all ranks
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { most = 2, largest = 1 << 20 };

static double out[most][largest / sizeof(double)], in[most][largest / sizeof(double)];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 200, neighbours = argc > 2 ? atoi(argv[2]) : 1;
  const int bytes = argc > 3 ? atoi(argv[3]) : 8, sums = argc > 5 ? atoi(argv[5]) : 0;
  const unsigned computing = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (neighbours < 1 || neighbours > most || bytes < 8 || bytes > largest)
    MPI_Abort(MPI_COMM_WORLD, 1);

  double total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    MPI_Request requests[2 * most];
    for (int n = 0; n < neighbours; n++)
      MPI_Irecv(in[n], bytes, MPI_BYTE, (rank + (n ? 1 : ranks - 1)) % ranks, n, MPI_COMM_WORLD,
                &requests[n]);
    for (int n = 0; n < neighbours; n++)
      out[n][0] = total * 1e-3 + rank + n * 0.1 + iteration * 0.01;
    for (int n = 0; n < neighbours; n++)
      MPI_Isend(out[n], bytes, MPI_BYTE, (rank + (n ? ranks - 1 : 1)) % ranks, n, MPI_COMM_WORLD,
                &requests[neighbours + n]);
    MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
    for (int n = 0; n < neighbours; n++)
      total = 0.5 * total + 0.1 * in[n][0];
    if (computing)
      usleep(computing);
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
