// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A halo of a cube of ranks whose faces, edges and corners have a loop each, edges a nested one, as
// many codes with structured meshes spell it. Every iteration receives from all neighbours, packs
// and sends to all, waits and adds up what came.
//
// Usage: loops-in-a-row [ITERATIONS [BYTES]]: 200 iterations of messages of 32 bytes
//
// Prints a sum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbours = 27, largest = 1024 };

static int side, me[3], bytes, rank, count;
static double out[neighbours][largest / sizeof(double)], in[neighbours][largest / sizeof(double)];
static MPI_Request requests[2 * neighbours];

/* The rank at an offset, or -1 outside of the cube. */
static int rank_at(const int offset[3]) {
  int at = 0;
  for (int axis = 0; axis < 3; axis++) {
    const int place = me[axis] + offset[axis];
    if (place < 0 || place >= side)
      return -1;
    at = at * side + place;
  }
  return at;
}

static int number_of(const int offset[3]) {
  return (offset[0] + 1) * 9 + (offset[1] + 1) * 3 + offset[2] + 1;
}

static void post_receives(void) {
  for (int place = 0; place < neighbours; place++) {
    const int offset[3] = {place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1};
    if (rank_at(offset) >= 0 && rank_at(offset) != rank)
      MPI_Irecv(in[place], bytes, MPI_BYTE, rank_at(offset), 0, MPI_COMM_WORLD, &requests[count++]);
  }
}

static void pack(int place, int iteration) {
  for (int k = 0; k < bytes / (int)sizeof(double); k++)
    out[place][k] = rank + place + iteration;
}

static void exchange(int iteration) {
  count = 0;
  post_receives();

  /* Faces. */
  for (int axis = 0; axis < 3; axis++)
    for (int way = -1; way <= 1; way += 2) {
      int offset[3] = {0, 0, 0};
      offset[axis] = way;
      if (rank_at(offset) < 0)
        continue;
      pack(number_of(offset), iteration);
      MPI_Isend(out[number_of(offset)], bytes, MPI_BYTE, rank_at(offset), 0, MPI_COMM_WORLD,
                &requests[count++]);
    }

  /* Edges. */
  for (int axis = 0; axis < 3; axis++)
    for (int corner = 0; corner < 4; corner++) {
      int offset[3] = {0, 0, 0};
      offset[(axis + 1) % 3] = corner / 2 * 2 - 1;
      offset[(axis + 2) % 3] = corner % 2 * 2 - 1;
      if (rank_at(offset) < 0)
        continue;
      pack(number_of(offset), iteration);
      MPI_Isend(out[number_of(offset)], bytes, MPI_BYTE, rank_at(offset), 0, MPI_COMM_WORLD,
                &requests[count++]);
    }

  /* Corners. */
  for (int corner = 0; corner < 8; corner++) {
    const int offset[3] = {corner / 4 * 2 - 1, corner / 2 % 2 * 2 - 1, corner % 2 * 2 - 1};
    if (rank_at(offset) < 0)
      continue;
    pack(number_of(offset), iteration);
    MPI_Isend(out[number_of(offset)], bytes, MPI_BYTE, rank_at(offset), 0, MPI_COMM_WORLD,
              &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  int ranks, iterations;
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
            "loops-in-a-row: expected a cube of ranks, and whole doubles up to 1024 bytes\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  me[0] = rank / (side * side), me[1] = rank / side % side, me[2] = rank % side;
  for (int iteration = 0; iteration < iterations; iteration++) {
    exchange(iteration);
    for (int place = 0; place < neighbours; place++)
      sum += in[place][0];
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %.0f\n", total);
  MPI_Finalize();
  return 0;
}
