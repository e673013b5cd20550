// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function of a library exchanges values, and three functions of the program call it, each with
// its own neighbours: all 26 of a cube of ranks; those below from ranks in even planes; those above
// from ranks in odd planes. So most ranks send nothing in the calls of two of them. The order of
// the calls has no period: it depends on the data.
//
// Usage: library-callers [ITERATIONS [BYTES]]: 100 iterations, 32 bytes
//
// Prints a checksum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 26, largest = 1024 };

struct neighbours {
  int sends, receives, to[most], from[most];
};

static int rank, ranks, side, bytes;
static unsigned checksum;
static struct neighbours all, below, above;
static unsigned char out[most][largest], in[most][largest];
static MPI_Request request[2 * most];

static int place(int who, int dimension) {
  return dimension == 0 ? who % side : dimension == 1 ? who / side % side : who / side / side;
}

static int are_neighbours(int one, int other) {
  for (int dimension = 0; dimension < 3; ++dimension)
    if (abs(place(one, dimension) - place(other, dimension)) > 1)
      return 0;
  return one != other;
}

static int is_sent(const struct neighbours *kind, int from, int to) {
  const int plane = place(from, 2);
  if (!are_neighbours(from, to))
    return 0;
  return kind == &all ||
         (kind == &below ? plane % 2 == 0 && from > to : plane % 2 == 1 && from < to);
}

static void find(struct neighbours *made) {
  for (int other = 0; other < ranks; ++other) {
    if (is_sent(made, rank, other))
      made->to[made->sends++] = other;
    if (is_sent(made, other, rank))
      made->from[made->receives++] = other;
  }
}

/* The library. */

static int receive_from(const struct neighbours *with) {
  for (int k = 0; k < with->sends; ++k)
    memset(out[k], (int)(checksum + (unsigned)k), (size_t)bytes);
  for (int k = 0; k < with->receives; ++k)
    MPI_Irecv(in[k], bytes, MPI_BYTE, with->from[k], 0, MPI_COMM_WORLD, &request[k]);
  return with->receives;
}

static void finish(const struct neighbours *with, int requests) {
  MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
  for (int k = 0; k < with->receives; ++k)
    checksum = checksum * 31 + in[k][bytes - 1] + (unsigned)with->from[k];
}

static void exchange(const struct neighbours *with) {
  int requests = receive_from(with);
  for (int k = 0; k < with->sends; ++k)
    MPI_Isend(out[k], bytes, MPI_BYTE, with->to[k], 0, MPI_COMM_WORLD, &request[requests++]);
  finish(with, requests);
}

/* Its callers. */

static void smooth(void) { exchange(&all); }

static void restrict_values(void) { exchange(&below); }

static void interpolate(void) { exchange(&above); }

/* Alike on all ranks. */
static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 24;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  bytes = argc > 2 ? atoi(argv[2]) : 32;
  for (side = 1; side * side * side < ranks;)
    ++side;
  if (side * side * side != ranks || bytes > largest)
    MPI_Abort(MPI_COMM_WORLD, 1);
  find(&all);
  find(&below);
  find(&above);
  checksum = (unsigned)rank;
  unsigned state = 1;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (unsigned times = next(&state) % 3; times > 0; --times)
      smooth();
    if (next(&state) % 2)
      restrict_values();
    else
      interpolate();
    if (next(&state) % 3 == 0)
      interpolate();
  }
  unsigned sum = 0;
  MPI_Reduce(&checksum, &sum, 1, MPI_UNSIGNED, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checksum %08x\n", sum);
  MPI_Finalize();
  return 0;
}
