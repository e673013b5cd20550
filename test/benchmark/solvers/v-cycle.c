// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// V-cycles of a multigrid method on a cube of ranks that drop out on coarse levels: every other
// rank in each direction stays. One function exchanges with the up to 26 neighbours of a level; on
// a level that a rank has left it finds none.
//
// Usage: v-cycle [CYCLES [BYTES [absent|present [LEVELS [DIMENSIONS]]]]]: 100 cycles, 32 bytes, all
// ranks present at all levels, 3 levels, 3 dimensions
//
// absent: a rank that has left a level does not call the function there.
//
// Prints a checksum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 32, largest = 1024, smoothings = 2 };

static int rank, ranks, side, bytes, levels = 3, dimensions = 3;
static unsigned char out[most][largest], in[most][largest];
static unsigned checksum;

static int is_on(int level) {
  const int step = 1 << level, x = rank / side / side, y = rank / side % side, z = rank % side;
  return x % step == 0 && y % step == 0 && z % step == 0;
}

/* The neighbours on the level, around the edges; none if this rank has left it. */
static int neighbours_on(int level, int *neighbour) {
  const int step = 1 << level, x = rank / side / side, y = rank / side % side, z = rank % side;
  int count = 0;
  if (!is_on(level))
    return 0;
  for (int place = 0; place < 27; ++place) {
    if (dimensions == 2 && place / 9 != 1)
      continue; // x is always 0
    const int dx = place / 9 - 1, dy = place / 3 % 3 - 1, dz = place % 3 - 1;
    const int other =
        ((x + dx * step + side) % side * side + (y + dy * step + side) % side) * side +
        (z + dz * step + side) % side;
    int known = other == rank;
    for (int k = 0; k < count; ++k)
      known |= neighbour[k] == other;
    if (!known)
      neighbour[count++] = other;
  }
  return count;
}

static void exchange(int level) {
  int neighbour[most];
  MPI_Request request[2 * most];
  const int count = neighbours_on(level, neighbour), size = bytes >> level > 8 ? bytes >> level : 8;
  for (int k = 0; k < count; ++k)
    MPI_Irecv(in[k], largest, MPI_BYTE, neighbour[k], 1, MPI_COMM_WORLD, &request[k]);
  for (int k = 0; k < count; ++k)
    memset(out[k], (int)(checksum + (unsigned)k), (size_t)size);
  for (int k = 0; k < count; ++k)
    MPI_Isend(out[k], size, MPI_BYTE, neighbour[k], 1, MPI_COMM_WORLD, &request[count + k]);
  MPI_Waitall(2 * count, request, MPI_STATUSES_IGNORE);
  for (int k = 0; k < count; ++k)
    checksum = checksum * 31 + in[k][size - 1];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int cycles = argc > 1 ? atoi(argv[1]) : 100;
  bytes = argc > 2 ? atoi(argv[2]) : 32;
  const int absent = argc > 3 && strcmp(argv[3], "absent") == 0;
  levels = argc > 4 ? atoi(argv[4]) : levels;
  dimensions = argc > 5 ? atoi(argv[5]) : dimensions;
  while ((side + 1) * (side + 1) * (dimensions == 2 ? 1 : side + 1) <= ranks)
    ++side;
  if (side * side * (dimensions == 2 ? 1 : side) != ranks || bytes > largest)
    MPI_Abort(MPI_COMM_WORLD, 1);
  checksum = (unsigned)rank;
  for (int cycle = 0; cycle < cycles; ++cycle)
    for (int step = 0; step < 2 * levels - 1; ++step)
      for (int smoothing = 0; smoothing < smoothings; ++smoothing) {
        const int level = step < levels ? step : 2 * levels - 2 - step;
        if (!absent || is_on(level))
          exchange(level);
      }
  unsigned all = 0;
  MPI_Reduce(&checksum, &all, 1, MPI_UNSIGNED, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checksum %08x\n", all);
  MPI_Finalize();
  return 0;
}
