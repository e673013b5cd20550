// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of which little can be gained: a profile and a plan must not make them slower.
//
// Usage: cannot-gain SHAPE ITERATIONS [SUMS]
//
//   ring       one message of 1 kB to the next rank
//   pair       8 bytes to and from one partner
//   large      1 MB to each of two neighbours
//   dense      16 kB to every other rank, in rotated order
//   computing  26 messages of 8 bytes, and a millisecond of computation after them
//   ordered    4 kB to 4 ranks, the farthest first, whose replies come in that order
//   blocking   8 bytes to each neighbour by MPI_Send, received by MPI_Recv in the same order
//   halo       26 messages of 8 bytes: can gain, unless the run is too short to begin with it
//
// SUMS: how often MPI_Allreduce is called in an iteration. Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 64 };

static const struct shape {
  const char *name;
  int neighbours, bytes, microseconds; // neighbours: 0: all
} shapes[] = {{"ring", 1, 1024, 0},   {"pair", 1, 8, 0},          {"large", 2, 1 << 20, 0},
              {"dense", 0, 16384, 0}, {"computing", 26, 8, 1000}, {"ordered", 4, 4096, 0},
              {"blocking", 2, 8, 0},  {"halo", 26, 8, 0}};
static const int shapeCount = (int)(sizeof shapes / sizeof *shapes);

static int rank, ranks, count, bytes;
static int to[most], from[most];
static char *out, *in;

static void find_neighbours(const struct shape *shape) {
  count = shape->neighbours > 0 ? shape->neighbours : ranks - 1;
  if (count > ranks - 1)
    count = ranks - 1;
  for (int n = 0; n < count; n++) {
    const int distance = strcmp(shape->name, "ordered") == 0 ? count - n : n + 1;
    to[n] = (rank + distance) % ranks;
    from[n] = (rank + ranks - distance) % ranks;
    if (strcmp(shape->name, "pair") == 0)
      to[n] = from[n] = rank ^ 1;
  }
  bytes = shape->bytes;
  out = calloc((size_t)count, (size_t)bytes);
  in = calloc((size_t)count, (size_t)bytes);
}

static void exchange(void) {
  MPI_Request requests[2 * most];
  for (int n = 0; n < count; n++)
    MPI_Irecv(in + (size_t)n * bytes, bytes, MPI_BYTE, from[n], 0, MPI_COMM_WORLD, &requests[n]);
  for (int n = 0; n < count; n++)
    MPI_Isend(out + (size_t)n * bytes, bytes, MPI_BYTE, to[n], 0, MPI_COMM_WORLD,
              &requests[count + n]);
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

static void exchange_blocking(void) {
  for (int n = 0; n < count; n++)
    MPI_Send(out + (size_t)n * bytes, bytes, MPI_BYTE, to[n], 0, MPI_COMM_WORLD);
  for (int n = 0; n < count; n++)
    MPI_Recv(in + (size_t)n * bytes, bytes, MPI_BYTE, from[n], 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *name = argc > 1 ? argv[1] : "ring";
  const int iterations = argc > 2 ? atoi(argv[2]) : 100, sums = argc > 3 ? atoi(argv[3]) : 0;
  int shape = 0;
  while (shape < shapeCount - 1 && strcmp(shapes[shape].name, name) != 0)
    shape++;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  find_neighbours(&shapes[shape]);
  double total = rank;
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int n = 0; n < count; n++)
      memcpy(out + (size_t)n * bytes, &total, sizeof total);
    if (strcmp(name, "blocking") == 0)
      exchange_blocking();
    else
      exchange();
    for (int n = 0; n < count; n++) {
      double value;
      memcpy(&value, in + (size_t)n * bytes, sizeof value);
      total = 0.5 * total + 0.4 * value + n;
    }
    if (shapes[shape].microseconds > 0)
      usleep((useconds_t)shapes[shape].microseconds);
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
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
