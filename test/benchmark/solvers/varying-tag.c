// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An irregular exchange whose tag changes from one iteration to the next. Ranks have between a few
// and many neighbours, and 8 to 64 bytes for each of them.
//
// Usage: varying-tag [ITERATIONS [CYCLE]]
//   CYCLE 0 (default): the tag is the number of the iteration; otherwise 100 + iteration % CYCLE
//
// Prints a checksum of all that was received.

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 512, room = 8 };

static int rank, ranks, neighbours;
static int neighbour[most];
static double out[most][room], in[most][room];

static unsigned mixed(unsigned number) {
  number = (number ^ number >> 16) * 0x7feb352du;
  number = (number ^ number >> 15) * 0x846ca68bu;
  return number ^ number >> 16;
}

/* One rank in eight has many neighbours. */
static int is_neighbour(int one, int other) {
  const int low = one < other ? one : other, high = one < other ? other : one;
  const unsigned chance = low % 8 == 3 || high % 8 == 3 ? 40 : 14;
  return low != high && mixed((unsigned)(low * 4096 + high)) % 100 < chance;
}

/* Doubles from one rank for another: 1 to 8. */
static int length(int from, int to) {
  return 1 + (int)(mixed((unsigned)(from * 8191 + to)) % room);
}

static void exchange(int tag) {
  MPI_Request request[2 * most];
  for (int k = 0; k < neighbours; ++k)
    MPI_Irecv(in[k], room, MPI_DOUBLE, neighbour[k], tag, MPI_COMM_WORLD, &request[k]);
  for (int k = 0; k < neighbours; ++k)
    MPI_Isend(out[k], length(rank, neighbour[k]), MPI_DOUBLE, neighbour[k], tag, MPI_COMM_WORLD,
              &request[neighbours + k]);
  MPI_Waitall(2 * neighbours, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  const int cycle = argc > 2 ? atoi(argv[2]) : 0;
  for (int other = 0; other < ranks && neighbours < most; ++other)
    if (is_neighbour(rank, other))
      neighbour[neighbours++] = other;
  double sum = rank;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int k = 0; k < neighbours; ++k)
      for (int i = 0; i < room; ++i)
        out[k][i] = sum + i + k;
    exchange(cycle > 0 ? 100 + iteration % cycle : iteration);
    sum *= 0.5;
    for (int k = 0; k < neighbours; ++k)
      for (int i = 0; i < length(neighbour[k], rank); ++i)
        sum += in[k][i] / (neighbours * room);
  }
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checksum %.17g\n", all);
  MPI_Finalize();
  return 0;
}
