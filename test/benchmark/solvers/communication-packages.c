// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conjugate gradients with a V-cycle, as a library of multigrid methods does it: all sends are made
// by one function, one loop serves all communication packages (those of the matrix on each level,
// and of the step from a coarse level to a fine one), and a second loop serves them in the other
// direction. All use one tag. In the set-up the loop serves a package once that for some ranks is
// the same as the matrix's; other ranks do not come to it; and row numbers are exchanged, with the
// same tag, while values are under way. Ranks that are not on the coarse level do not come there.
//
// Usage: communication-packages [ITERATIONS [BYTES]]: 100 iterations, 32 bytes; on a cube of ranks,
// or on a square
//
// Prints a checksum of all that was received.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 32, largest = 1024, tag = 0 };
enum { fine, coarse, step, once, packages };

struct package {
  int sends, receives;
  int to[most], from[most];
};
struct exchange {
  int requests;
  MPI_Request request[2 * most];
  unsigned char out[most][largest], in[most][largest];
  const int *received; /* from whom */
  int receives;
};

static int rank, ranks, side, dimensions, bytes;
static struct package package[packages];
static unsigned checksum;

/* The library's functions for MPI's. */

static void send_values(const void *values, int size, int to, MPI_Request *request) {
  MPI_Isend(values, size, MPI_BYTE, to, tag, MPI_COMM_WORLD, request);
}

static void receive_values(void *values, int from, MPI_Request *request) {
  MPI_Irecv(values, largest, MPI_BYTE, from, tag, MPI_COMM_WORLD, request);
}

static void wait_for(int count, MPI_Request *request) {
  MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

/* Who sends to whom. */

static int place(int who, int dimension) {
  for (; dimension > 0; --dimension)
    who /= side;
  return who % side;
}

static int is_coarse(int who) {
  for (int dimension = 0; dimension < dimensions; ++dimension)
    if (place(who, dimension) % 2)
      return 0;
  return 1;
}

static int are_neighbours(int one, int other, int distance) {
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const int apart = (place(one, dimension) - place(other, dimension) + side) % side;
    if (apart != 0 && apart != distance && apart != side - distance)
      return 0;
  }
  return one != other;
}

static int sends(int kind, int from, int to) {
  switch (kind) {
  case fine:
    return are_neighbours(from, to, 1);
  case coarse:
    return is_coarse(from) && is_coarse(to) && are_neighbours(from, to, 2);
  case step:
    return is_coarse(from) && are_neighbours(from, to, 1);
  default:
    return place(from, 0) == 0 && are_neighbours(from, to, 1);
  }
}

static void make_package(int kind) {
  struct package *made = &package[kind];
  for (int other = 0; other < ranks; ++other) {
    if (sends(kind, rank, other))
      made->to[made->sends++] = other;
    if (sends(kind, other, rank))
      made->from[made->receives++] = other;
  }
}

/* The library's exchanges. */

static void begin(struct exchange *made, int count) {
  made->requests = 0;
  for (int k = 0; k < count; ++k)
    memset(made->out[k], (int)(checksum + (unsigned)k), (size_t)bytes);
}

static void start_values(struct exchange *made, const struct package *with) {
  begin(made, with->sends);
  for (int k = 0; k < with->receives; ++k)
    receive_values(made->in[k], with->from[k], &made->request[made->requests++]);
  for (int k = 0; k < with->sends; ++k)
    send_values(made->out[k], bytes, with->to[k], &made->request[made->requests++]);
  made->received = with->from;
  made->receives = with->receives;
}

static void start_back(struct exchange *made, const struct package *with) {
  begin(made, with->receives);
  for (int k = 0; k < with->sends; ++k)
    receive_values(made->in[k], with->to[k], &made->request[made->requests++]);
  for (int k = 0; k < with->receives; ++k)
    send_values(made->out[k], bytes, with->from[k], &made->request[made->requests++]);
  made->received = with->to;
  made->receives = with->sends;
}

static void start_numbers(struct exchange *made, const struct package *with) {
  begin(made, with->sends);
  for (int k = 0; k < with->receives; ++k)
    receive_values(made->in[k], with->from[k], &made->request[made->requests++]);
  for (int k = 0; k < with->sends; ++k)
    send_values(made->out[k], 2 * bytes, with->to[k], &made->request[made->requests++]);
  made->received = with->from;
  made->receives = with->receives;
}

static void finish(struct exchange *made) {
  wait_for(made->requests, made->request);
  for (int k = 0; k < made->receives; ++k)
    checksum = checksum * 31 + made->in[k][bytes - 1] + (unsigned)made->received[k];
}

/* The solver. */

static struct exchange values, others;

static void smooth(int level) {
  start_values(&values, &package[level]);
  finish(&values);
}

static void set_up(void) {
  if (package[once].sends + package[once].receives > 0) {
    start_values(&values, &package[once]);
    finish(&values);
  }
  for (int round = 0; round < 3; ++round) { /* numbers are received before values sent earlier */
    start_values(&values, &package[fine]);
    start_numbers(&others, &package[fine]);
    finish(&others);
    finish(&values);
  }
}

static void cycle(void) {
  smooth(fine);
  smooth(fine);
  start_back(&values, &package[step]); /* to the coarse level */
  finish(&values);
  if (is_coarse(rank))
    for (int times = 0; times < 2; ++times)
      smooth(coarse);
  start_values(&values, &package[step]);
  finish(&values);
  smooth(fine);
}

static void add_up(void) {
  unsigned own = checksum, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED, MPI_BXOR, MPI_COMM_WORLD);
  checksum += all;
}

static int power(int base, int exponent) {
  int result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

static int find_side(void) {
  for (dimensions = 3; dimensions > 1; --dimensions) {
    for (side = 1; power(side, dimensions) < ranks;)
      ++side;
    if (power(side, dimensions) == ranks)
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  bytes = argc > 2 ? atoi(argv[2]) : 32;
  if (!find_side() || side % 2 || 2 * bytes > largest)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int kind = 0; kind < packages; ++kind)
    make_package(kind);
  checksum = (unsigned)rank;
  set_up();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    smooth(fine);
    add_up();
    cycle();
    add_up();
  }
  unsigned all = 0;
  MPI_Reduce(&checksum, &all, 1, MPI_UNSIGNED, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checksum %08x\n", all);
  MPI_Finalize();
  return 0;
}
