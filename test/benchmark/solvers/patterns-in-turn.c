// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function sends the halos of several kinds of fields of a cube of ranks, in turn: to all
// neighbours, to those on the lower sides from those on the upper, to the neighbours at faces; then
// the ranks agree on the next step (LULESH). Where no neighbour is, the function sends nothing.
//
// Usage: patterns-in-turn [ITERATIONS [BYTES]]: 200 iterations of messages of 96 bytes
//
// Prints a sum of all that was received, and the least of the steps.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbours = 27, largest = 1024, kinds = 3 };
enum { all, to_lower, faces };

static int side, me[3], bytes;
static double out[neighbours][largest / sizeof(double)], in[neighbours][largest / sizeof(double)];
static MPI_Request received[neighbours], sent[neighbours];

/* The rank at an offset, or -1 outside of the cube. */
static int rank_at(int place) {
  const int x = me[0] + place / 9 - 1, y = me[1] + place / 3 % 3 - 1, z = me[2] + place % 3 - 1;
  if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
    return -1;
  return (x * side + y) * side + z;
}

/* Whether a rank sends to its neighbour at the place. */
static int is_sent(int kind, int place) {
  if (kind == faces)
    return abs(place / 9 - 1) + abs(place / 3 % 3 - 1) + abs(place % 3 - 1) == 1;
  return place != neighbours / 2 && (kind == all || place < neighbours / 2);
}

static void receive_all(int kind) {
  for (int place = 0; place < neighbours; place++) {
    const int from = rank_at(place);
    received[place] = MPI_REQUEST_NULL;
    if (from >= 0 && is_sent(kind, neighbours - 1 - place))
      MPI_Irecv(in[place], bytes, MPI_BYTE, from, 10 + kind, MPI_COMM_WORLD, &received[place]);
  }
}

static void send_all(int kind) {
  int count = 0;
  for (int place = 0; place < neighbours; place++) {
    const int to = rank_at(place);
    if (to >= 0 && is_sent(kind, place))
      MPI_Isend(out[place], bytes, MPI_BYTE, to, 10 + kind, MPI_COMM_WORLD, &sent[count++]);
  }
  MPI_Waitall(count, sent, MPI_STATUSES_IGNORE);
}

static double add_all(int kind) {
  double sum = 0;
  for (int place = 0; place < neighbours; place++)
    if (rank_at(place) >= 0 && is_sent(kind, neighbours - 1 - place)) {
      MPI_Wait(&received[place], MPI_STATUS_IGNORE);
      sum += in[place][0];
    }
  return sum;
}

int main(int argc, char **argv) {
  int ranks, rank, iterations;
  double sum = 0, total, step = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  iterations = argc > 1 ? atoi(argv[1]) : 200;
  bytes = argc > 2 ? atoi(argv[2]) : 96;
  while ((side + 1) * (side + 1) * (side + 1) <= ranks)
    side++;
  if (side * side * side != ranks || bytes < 8 || bytes > largest || bytes % 8 != 0) {
    fprintf(stderr,
            "patterns-in-turn: expected a cube of ranks, and whole doubles up to 1024 bytes\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  me[0] = rank / (side * side), me[1] = rank / side % side, me[2] = rank % side;

  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int kind = 0; kind < kinds; kind++) {
      receive_all(kind);
      for (int place = 0; place < neighbours; place++)
        out[place][0] = rank + place + iteration + kind;
      send_all(kind);
      sum += add_all(kind);
    }
    const double own = step + (rank + iteration) % 7;
    MPI_Allreduce(&own, &step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %.0f, step %.0f\n", total, step);
  MPI_Finalize();
  return 0;
}
