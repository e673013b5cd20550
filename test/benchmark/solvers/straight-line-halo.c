// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A halo of a cube of ranks whose sends are statements, each for one of the 26 neighbours and
// executed only if the neighbour exists, as many solvers spell them (LULESH). Every iteration
// receives from all neighbours, sends to all, waits and adds up what came.
//
// Usage: straight-line-halo [ITERATIONS [BYTES]]: 200 iterations of messages of 32 bytes
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbours = 27, largest = 1024 };

static int side, me[3], bytes;
static double out[neighbours][largest / sizeof(double)], in[neighbours][largest / sizeof(double)];
static MPI_Request requests[2 * neighbours];

/* The rank at an offset, or -1 outside of the cube. */
static int rank_at(int dx, int dy, int dz) {
  const int x = me[0] + dx, y = me[1] + dy, z = me[2] + dz;
  if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
    return -1;
  return (x * side + y) * side + z;
}

static int number_of(int dx, int dy, int dz) { return (dx + 1) * 9 + (dy + 1) * 3 + dz + 1; }

static int post_receives(void) {
  int count = 0;
  for (int place = 0; place < neighbours; place++) {
    const int from = rank_at(place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1);
    if (from >= 0 && place != number_of(0, 0, 0))
      MPI_Irecv(in[place], bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[count++]);
  }
  return count;
}

static int send_all(int count) {
  const int low_x = me[0] > 0, low_y = me[1] > 0, low_z = me[2] > 0;
  const int high_x = me[0] < side - 1, high_y = me[1] < side - 1, high_z = me[2] < side - 1;

  /* Faces. */
  if (low_x)
    MPI_Isend(out[number_of(-1, 0, 0)], bytes, MPI_BYTE, rank_at(-1, 0, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x)
    MPI_Isend(out[number_of(1, 0, 0)], bytes, MPI_BYTE, rank_at(1, 0, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_y)
    MPI_Isend(out[number_of(0, -1, 0)], bytes, MPI_BYTE, rank_at(0, -1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_y)
    MPI_Isend(out[number_of(0, 1, 0)], bytes, MPI_BYTE, rank_at(0, 1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_z)
    MPI_Isend(out[number_of(0, 0, -1)], bytes, MPI_BYTE, rank_at(0, 0, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_z)
    MPI_Isend(out[number_of(0, 0, 1)], bytes, MPI_BYTE, rank_at(0, 0, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);

  /* Edges. */
  if (low_x && low_y)
    MPI_Isend(out[number_of(-1, -1, 0)], bytes, MPI_BYTE, rank_at(-1, -1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && low_z)
    MPI_Isend(out[number_of(-1, 0, -1)], bytes, MPI_BYTE, rank_at(-1, 0, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && high_z)
    MPI_Isend(out[number_of(-1, 0, 1)], bytes, MPI_BYTE, rank_at(-1, 0, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && high_y)
    MPI_Isend(out[number_of(-1, 1, 0)], bytes, MPI_BYTE, rank_at(-1, 1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_y && low_z)
    MPI_Isend(out[number_of(0, -1, -1)], bytes, MPI_BYTE, rank_at(0, -1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_y && high_z)
    MPI_Isend(out[number_of(0, -1, 1)], bytes, MPI_BYTE, rank_at(0, -1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_y && low_z)
    MPI_Isend(out[number_of(0, 1, -1)], bytes, MPI_BYTE, rank_at(0, 1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_y && high_z)
    MPI_Isend(out[number_of(0, 1, 1)], bytes, MPI_BYTE, rank_at(0, 1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && low_y)
    MPI_Isend(out[number_of(1, -1, 0)], bytes, MPI_BYTE, rank_at(1, -1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && low_z)
    MPI_Isend(out[number_of(1, 0, -1)], bytes, MPI_BYTE, rank_at(1, 0, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && high_z)
    MPI_Isend(out[number_of(1, 0, 1)], bytes, MPI_BYTE, rank_at(1, 0, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && high_y)
    MPI_Isend(out[number_of(1, 1, 0)], bytes, MPI_BYTE, rank_at(1, 1, 0), 0, MPI_COMM_WORLD,
              &requests[count++]);

  /* Corners. */
  if (low_x && low_y && low_z)
    MPI_Isend(out[number_of(-1, -1, -1)], bytes, MPI_BYTE, rank_at(-1, -1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && low_y && high_z)
    MPI_Isend(out[number_of(-1, -1, 1)], bytes, MPI_BYTE, rank_at(-1, -1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && high_y && low_z)
    MPI_Isend(out[number_of(-1, 1, -1)], bytes, MPI_BYTE, rank_at(-1, 1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (low_x && high_y && high_z)
    MPI_Isend(out[number_of(-1, 1, 1)], bytes, MPI_BYTE, rank_at(-1, 1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && low_y && low_z)
    MPI_Isend(out[number_of(1, -1, -1)], bytes, MPI_BYTE, rank_at(1, -1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && low_y && high_z)
    MPI_Isend(out[number_of(1, -1, 1)], bytes, MPI_BYTE, rank_at(1, -1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && high_y && low_z)
    MPI_Isend(out[number_of(1, 1, -1)], bytes, MPI_BYTE, rank_at(1, 1, -1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  if (high_x && high_y && high_z)
    MPI_Isend(out[number_of(1, 1, 1)], bytes, MPI_BYTE, rank_at(1, 1, 1), 0, MPI_COMM_WORLD,
              &requests[count++]);
  return count;
}

int main(int argc, char **argv) {
  int ranks, rank, iterations;
  double sum = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  iterations = argc > 1 ? atoi(argv[1]) : 200;
  bytes = argc > 2 ? atoi(argv[2]) : 32;
  while ((side + 1) * (side + 1) * (side + 1) <= ranks)
    side++;
  if (side * side * side != ranks || bytes < 8 || bytes > largest || bytes % 8 != 0) {
    fprintf(stderr,
            "straight-line-halo: expected a cube of ranks, and whole doubles up to 1024 bytes\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  me[0] = rank / (side * side), me[1] = rank / side % side, me[2] = rank % side;

  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int place = 0; place < neighbours; place++)
      out[place][0] = rank + place + iteration;
    MPI_Waitall(send_all(post_receives()), requests, MPI_STATUSES_IGNORE);
    for (int place = 0; place < neighbours; place++)
      sum += in[place][0];
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %.0f\n", total);
  MPI_Finalize();
  return 0;
}
