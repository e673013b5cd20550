/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Moves an array of doubles from one block-cyclic distribution to another: by the runtime's
 * redistribute, by MPI_Alltoallv of packed elements, by COSTA's algorithm without relabelling
 * (costa.h), and, if compiled with -DSCALAPACK, by
 * ScaLAPACK's redistribution (pdgemr2d), in turn. ScaLAPACK has only block-cyclic distributions:
 * block and cyclic(k) of one dimension are columns of blocks on a grid of one column; it has no
 * GEN_BLOCK, so it is not in moves.c.
 *
 *     cyclic ELEMENTS ROUNDS
 *
 * Times are taken as in moves.c: the old block exists before the clock starts; each way creates the
 * new block, fills it and frees the old one. ScaLAPACK's grid and descriptors also exist before.
 * Prints a line for each pair and way: the bytes that the busiest port sends or receives, and the
 * milliseconds of the slowest rank in each round. The first round checks all elements. */

#include <sendwright/redistribution.h>

#include "costa.h"
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SCALAPACK /* ScaLAPACK has no header */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cpdgemr2d(int m, int n, double *a, int ia, int ja, int *desca, double *b, int ib, int jb,
               int *descb, int context);
static int grid;
#endif

static int rank, ranks;
static long long elements;
static struct sendwright_site site = {"cyclic.c", "main", 1, 0, 0, 0, 0};

/* Lengths of blocks; 0 stands for equal blocks, one for each rank. */
static const struct pair {
  const char *name;
  long long from, to;
} pairs[] = {
    {"cyclic to block", 1, 0},
    {"block to cyclic(64)", 0, 64},
    {"cyclic(3) to cyclic(5)", 3, 5},
    {"cyclic(1000) to cyclic(64)", 1000, 64},
    {"cyclic(4096) to cyclic(3000)", 4096, 3000},
};
enum { pair_count = sizeof pairs / sizeof *pairs };

static long long length_of(long long length) {
  return length ? length : (elements + ranks - 1) / ranks;
}

static int owner(long long number, long long length) { return (int)(number / length % ranks); }

/* The element at a position in a rank's block. */
static long long number_at(long long place, long long length) {
  return (place / length * ranks + rank) * length + place % length;
}

static long long size_of(int of, long long length) {
  const long long whole = elements / length, rest = elements % length;
  return whole / ranks * length + (of < whole % ranks ? length : of == whole % ranks ? rest : 0);
}

/* How many of this rank's elements each other rank has, of all elements in increasing order. */
static int *counts_of(long long mine, long long others) {
  int *counts = calloc(ranks, sizeof(int));
  for (long long i = 0; i < size_of(rank, mine); ++i)
    ++counts[owner(number_at(i, mine), others)];
  return counts;
}

static int *places_of(const int *counts) {
  int *places = malloc(sizeof(int) * ranks);
  for (int i = 0, place = 0; i < ranks; place += counts[i++])
    places[i] = place;
  return places;
}

/* The old block's elements by their new owners. */
static double *pack(const double *old, const int *sends, long long from, long long to) {
  double *packed = malloc(sizeof(double) * (size_of(rank, from) + 1));
  int *next = places_of(sends);
  for (long long i = 0; i < size_of(rank, from); ++i)
    packed[next[owner(number_at(i, from), to)]++] = old[i];
  free(next);
  return packed;
}

struct placing {
  double *made;
  long long from, to;
};

/* The elements of one sender are in the order of their numbers: block by block of the old owner. */
static void place(void *context, int sender, const double *packed) {
  const struct placing *placing = context;
  const long long from = placing->from, to = placing->to;
  for (long long block = sender; block * from < elements; block += ranks)
    for (long long number = block * from; number < (block + 1) * from && number < elements;) {
      const long long end = (number / to + 1) * to;
      long long stop = (block + 1) * from < end ? (block + 1) * from : end;
      stop = stop < elements ? stop : elements;
      if (owner(number, to) == rank) {
        memcpy(placing->made + number / to / ranks * to + number % to, packed,
               sizeof(double) * (stop - number));
        packed += stop - number;
      }
      number = stop;
    }
}

static double *by_costa(double *old, const int *sends, const int *receives, long long from,
                        long long to) {
  double *packed = pack(old, sends, from, to);
  double *arrived = malloc(sizeof(double) * (size_of(rank, to) + 1));
  double *made = malloc(sizeof(double) * (size_of(rank, to) + 1));
  int *send_places = places_of(sends), *receive_places = places_of(receives);
  const struct costa_exchange exchange = {sends, send_places, receives, receive_places};
  struct placing placing = {made, from, to};
  costa_exchange(packed, arrived, &exchange, place, &placing);
  free(old), free(packed), free(arrived), free(send_places), free(receive_places);
  return made;
}

static double *by_alltoallv(double *old, const int *sends, const int *receives, long long from,
                            long long to) {
  const long long after = size_of(rank, to);
  double *packed = pack(old, sends, from, to);
  int *send_places = places_of(sends), *receive_places = places_of(receives);
  double *arrived = malloc(sizeof(double) * (after + 1));
  MPI_Alltoallv(packed, sends, send_places, MPI_DOUBLE, arrived, receives, receive_places,
                MPI_DOUBLE, MPI_COMM_WORLD);
  free(old), free(packed);
  int *next = places_of(receives);
  double *made = malloc(sizeof(double) * (after + 1));
  for (long long i = 0; i < after; ++i)
    made[i] = arrived[next[owner(number_at(i, to), from)]++];
  free(arrived), free(next), free(send_places), free(receive_places);
  return made;
}

#ifdef SCALAPACK
static void describe(int *descriptor, long long length) {
  const int rows = (int)size_of(rank, length);
  const int made[9] = {1, grid, (int)elements, 1, (int)length, 1, 0, 0, rows > 0 ? rows : 1};
  memcpy(descriptor, made, sizeof made);
}

static double *by_scalapack(double *old, int *before, int *after, long long to) {
  double *made = malloc(sizeof(double) * (size_of(rank, to) + 1));
  Cpdgemr2d((int)elements, 1, old, 1, 1, before, made, 1, 1, after, grid);
  free(old);
  return made;
}
#endif

static struct sendwright_distribution cyclic(long long length) {
  struct sendwright_distribution made;
  memset(&made, 0, sizeof made);
  made.dimensions = 1;
  made.dimension[0].kind = SENDWRIGHT_CYCLIC;
  made.dimension[0].parameter = length;
  made.extents[0] = elements;
  return made;
}

enum { redistribute, alltoallv, costa, scalapack, known_ways };
static const char *const names[known_ways] = {"redistribute", "MPI_Alltoallv", "COSTA",
                                              "ScaLAPACK"};
#ifdef SCALAPACK
enum { ways = known_ways };
#else
enum { ways = scalapack };
#endif

static void check(int way, const double *block, long long length) {
  for (long long i = 0; i < size_of(rank, length); ++i)
    if (block[i] != (double)number_at(i, length)) {
      fprintf(stderr, "%s: element %lld of rank %d is wrong\n", names[way], i, rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double one_round(int way, long long from, long long to, const int *sends,
                        const int *receives, int look) {
  double *block = malloc(sizeof(double) * (size_of(rank, from) + 1));
  for (long long i = 0; i < size_of(rank, from); ++i)
    block[i] = (double)number_at(i, from);
  struct sendwright_processors onto = {"P", 0, 1, {ranks, 0}};
  struct sendwright_array array = {"A", &block, sizeof(double), 0, 0};
  struct sendwright_array *const arrays[] = {&array};
  const struct sendwright_distribution before = cyclic(from), after = cyclic(to);
  sendwright_distribute(&site, &array, &onto, &before);
#ifdef SCALAPACK
  int described_before[9], described_after[9];
  describe(described_before, from);
  describe(described_after, to);
#endif
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (way == redistribute)
    sendwright_redistribute(&site, SENDWRIGHT_SCHEDULE_AUTO, 0, 1, arrays, &after);
  else if (way == alltoallv)
    block = by_alltoallv(block, sends, receives, from, to);
  else if (way == costa)
    block = by_costa(block, sends, receives, from, to);
#ifdef SCALAPACK
  else
    block = by_scalapack(block, described_before, described_after, to);
#endif
  const double time = time_since(begin);
  if (look)
    check(way, block, to);
  sendwright_forget(&array);
  free(block);
  return time;
}

static void measure(const struct pair *pair, int rounds) {
  const long long from = length_of(pair->from), to = length_of(pair->to);
  int *sends = counts_of(from, to), *receives = counts_of(to, from);
  const long long sent = size_of(rank, from) - sends[rank],
                  received = size_of(rank, to) - receives[rank];
  long long load = sent > received ? sent : received, busiest;
  MPI_Allreduce(&load, &busiest, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  double *times = malloc(sizeof(double) * ways * rounds);
  for (int round = 0; round < rounds; ++round)
    for (int turn = 0; turn < ways; ++turn) {
      const int way = (turn + round) % ways;
      times[way * rounds + round] = one_round(way, from, to, sends, receives, round == 0);
    }
  for (int way = 0; rank == 0 && way < ways; ++way) {
    printf("%s, %lld, %s:", pair->name, busiest * (long long)sizeof(double), names[way]);
    for (int round = 0; round < rounds; ++round)
      printf(" %.4f", 1000 * times[way * rounds + round]);
    printf("\n");
  }
  fflush(stdout);
  free(times), free(sends), free(receives);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) {
    fprintf(stderr, "usage: cyclic ELEMENTS ROUNDS\n");
    return 2;
  }
  elements = atoll(argv[1]);
#ifdef SCALAPACK
  Cblacs_get(0, 0, &grid);
  Cblacs_gridinit(&grid, "Row", ranks, 1);
#endif
  for (int pair = 0; pair < pair_count; ++pair)
    measure(&pairs[pair], atoi(argv[2]));
#ifdef SCALAPACK
  Cblacs_gridexit(grid);
#endif
  MPI_Finalize();
  return 0;
}
