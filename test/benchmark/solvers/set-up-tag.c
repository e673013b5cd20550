// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A halo exchange on a cube of ranks whose set-up uses the same tag, as finite-element programs do:
// each rank tells its neighbours how many values it needs from them, which they receive from any
// source; then the lists of these values go by MPI_Irecv, MPI_Send and MPI_Wait. All ranks compare
// the number of lists (MPI_Allreduce) before they iterate.
//
// Usage: set-up-tag [ITERATIONS [BYTES]]: 100 iterations, 32 bytes
//
// Prints a checksum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 26, largest = 1024, tag = 99, listed = 600 };

static int rank, ranks, side, bytes, neighbours, neighbour[most];
static int needed[most], list[most][listed], theirs[most][listed];
static unsigned char out[most][largest], in[most][largest];
static unsigned checksum;

static void find_neighbours(void) {
  const int x = rank / side / side, y = rank / side % side, z = rank % side;
  for (int place = 0; place < 27; ++place) {
    const int other =
        ((x + place / 9 - 1 + side) % side * side + (y + place / 3 % 3 - 1 + side) % side) * side +
        (z + place % 3 - 1 + side) % side;
    int known = other == rank;
    for (int k = 0; k < neighbours; ++k)
      known |= neighbour[k] == other;
    if (!known)
      neighbour[neighbours++] = other;
  }
}

static int index_of(int other) {
  for (int k = 0; k < neighbours; ++k)
    if (neighbour[k] == other)
      return k;
  return -1;
}

static void set_up(void) {
  int size[most];
  MPI_Request request[most];
  for (int k = 0; k < neighbours; ++k) {
    size[k] = listed - (rank + k) % 7;
    MPI_Isend(&size[k], 1, MPI_INT, neighbour[k], tag, MPI_COMM_WORLD, &request[k]);
  }
  for (int k = 0; k < neighbours; ++k) {
    MPI_Status status;
    int length;
    MPI_Recv(&length, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    needed[index_of(status.MPI_SOURCE)] = length;
  }
  MPI_Waitall(neighbours, request, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); /* the lists must not meet receives from any source */
  for (int k = 0; k < neighbours; ++k)
    MPI_Irecv(theirs[k], listed, MPI_INT, neighbour[k], tag, MPI_COMM_WORLD, &request[k]);
  for (int k = 0; k < neighbours; ++k) {
    for (int value = 0; value < size[k]; ++value)
      list[k][value] = rank * value + k;
    MPI_Send(list[k], size[k], MPI_INT, neighbour[k], tag, MPI_COMM_WORLD);
  }
  for (int k = 0; k < neighbours; ++k) {
    MPI_Wait(&request[k], MPI_STATUS_IGNORE);
    checksum = checksum * 31 + (unsigned)theirs[k][needed[k] - 1];
  }
  int lists = neighbours, all = 0;
  MPI_Allreduce(&lists, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  checksum += (unsigned)all;
}

static void exchange(void) {
  MPI_Request request[most];
  for (int k = 0; k < neighbours; ++k)
    MPI_Irecv(in[k], largest, MPI_BYTE, neighbour[k], tag, MPI_COMM_WORLD, &request[k]);
  for (int k = 0; k < neighbours; ++k) {
    memset(out[k], (int)(checksum + (unsigned)k), (size_t)bytes);
    MPI_Send(out[k], bytes, MPI_BYTE, neighbour[k], tag, MPI_COMM_WORLD);
  }
  MPI_Waitall(neighbours, request, MPI_STATUSES_IGNORE);
  for (int k = 0; k < neighbours; ++k)
    checksum = checksum * 31 + in[k][bytes - 1];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  bytes = argc > 2 ? atoi(argv[2]) : 32;
  while ((side + 1) * (side + 1) * (side + 1) <= ranks)
    ++side;
  if (side * side * side != ranks || bytes > largest)
    MPI_Abort(MPI_COMM_WORLD, 1);
  find_neighbours();
  set_up();
  for (int iteration = 0; iteration < iterations; ++iteration)
    exchange();
  unsigned all = 0;
  MPI_Reduce(&checksum, &all, 1, MPI_UNSIGNED, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checksum %08x\n", all);
  MPI_Finalize();
  return 0;
}
