/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Moves an array of doubles from one random GEN_BLOCK distribution to another: by the runtime's
 * redistribute, by MPI_Alltoallv, by all nonblocking sends and receives at once, and by COSTA's
 * algorithm (costa.h) without and with relabelling, in turn. With relabelling the new blocks are on
 * other ranks than those that the program names.
 *
 *     moves ELEMENTS PAIRS ROUNDS SEED [VARIATION]
 *
 * VARIATION: 1, cut anywhere (high variation, the default); less: each cut that near its place in
 * equal blocks, in blocks.
 *
 * The old block is there before the clock starts; each way makes the new one, fills it and frees
 * the old one. What the others need to know of the sizes is worked out before. A line for each
 * pair and way: the bytes that the busiest port sends or receives (without relabelling), and the
 * milliseconds of each round (time_since). All elements are looked at in the first round. */

#include <sendwright/redistribution.h>

#include "costa.h"
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static struct sendwright_site site = {"moves.c", "main", 1, 0, 0, 0, 0};

/* One distribution, and where each block begins. */
struct blocks {
  long long *sizes, *begin;
};

/* What this rank exchanges with each other rank. */
struct exchange {
  int *send_counts, *send_places, *receive_counts, *receive_places;
};

static unsigned long long state;
static double variation = 1;

static double uniform(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(state >> 11) / 9007199254740992.0;
}

static int ascending(const void *a, const void *b) {
  const long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

/* Cuts at random places: sizes from nearly nothing to several times the mean. */
static struct blocks random_blocks(long long elements) {
  struct blocks made;
  made.sizes = malloc(sizeof(long long) * ranks);
  made.begin = malloc(sizeof(long long) * (ranks + 1));
  made.begin[0] = 0;
  for (int i = 1; i < ranks; ++i)
    made.begin[i] =
        (long long)((variation < 1 ? (i + variation * (uniform() - 0.5)) / ranks : uniform()) *
                    (double)elements);
  made.begin[ranks] = elements;
  qsort(made.begin + 1, ranks - 1, sizeof(long long), ascending);
  for (int i = 0; i < ranks; ++i)
    made.sizes[i] = made.begin[i + 1] - made.begin[i];
  return made;
}

static long long overlap(const struct blocks *a, int i, const struct blocks *b, int j) {
  const long long begin = a->begin[i] > b->begin[j] ? a->begin[i] : b->begin[j];
  const long long end_of_a = a->begin[i] + a->sizes[i], end_of_b = b->begin[j] + b->sizes[j];
  const long long end = end_of_a < end_of_b ? end_of_a : end_of_b;
  return end > begin ? end - begin : 0;
}

/* Where in block i of a what it has in common with block j of b begins. */
static long long offset_in(const struct blocks *a, int i, const struct blocks *b, int j) {
  return b->begin[j] > a->begin[i] ? b->begin[j] - a->begin[i] : 0;
}

static struct exchange exchange_of(const struct blocks *from, const struct blocks *to) {
  struct exchange made;
  int **const lists[] = {&made.send_counts, &made.send_places, &made.receive_counts,
                         &made.receive_places};
  for (int i = 0; i < 4; ++i)
    *lists[i] = calloc(ranks, sizeof(int));
  for (int i = 0, sent = 0, received = 0; i < ranks; ++i) {
    made.send_counts[i] = (int)overlap(from, rank, to, i);
    made.receive_counts[i] = (int)overlap(from, i, to, rank);
    made.send_places[i] = sent;
    made.receive_places[i] = received;
    sent += made.send_counts[i];
    received += made.receive_counts[i];
  }
  return made;
}

static void free_exchange(const struct exchange *exchange) {
  free(exchange->send_counts), free(exchange->send_places);
  free(exchange->receive_counts), free(exchange->receive_places);
}

static long long busiest_port(const struct blocks *from, const struct blocks *to) {
  long long most = 0;
  for (int i = 0; i < ranks; ++i) {
    const long long stays = overlap(from, i, to, i);
    const long long sent = from->sizes[i] - stays, received = to->sizes[i] - stays;
    most = sent > most ? sent : most;
    most = received > most ? received : most;
  }
  return most * (long long)sizeof(double);
}

static double *by_alltoallv(double *old, const struct exchange *exchange, long long size) {
  double *made = malloc(sizeof(double) * (size + 1));
  MPI_Alltoallv(old, exchange->send_counts, exchange->send_places, MPI_DOUBLE, made,
                exchange->receive_counts, exchange->receive_places, MPI_DOUBLE, MPI_COMM_WORLD);
  free(old);
  return made;
}

static double *all_at_once(double *old, const struct exchange *exchange, long long size) {
  double *made = malloc(sizeof(double) * (size + 1));
  MPI_Request *requests = malloc(sizeof(MPI_Request) * 2 * ranks);
  int count = 0;
  for (int i = 0; i < ranks; ++i)
    if (i != rank && exchange->receive_counts[i])
      MPI_Irecv(made + exchange->receive_places[i], exchange->receive_counts[i], MPI_DOUBLE, i, 1,
                MPI_COMM_WORLD, &requests[count++]);
  for (int i = 0; i < ranks; ++i)
    if (i != rank && exchange->send_counts[i])
      MPI_Isend(old + exchange->send_places[i], exchange->send_counts[i], MPI_DOUBLE, i, 1,
                MPI_COMM_WORLD, &requests[count++]);
  if (exchange->send_counts[rank])
    memcpy(made + exchange->receive_places[rank], old + exchange->send_places[rank],
           sizeof(double) * exchange->send_counts[rank]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(requests);
  free(old);
  return made;
}

static struct sendwright_distribution gen_block(const struct blocks *blocks) {
  struct sendwright_distribution made;
  memset(&made, 0, sizeof made);
  made.dimensions = 1;
  made.dimension[0].kind = SENDWRIGHT_GEN_BLOCK;
  made.dimension[0].sizes = blocks->sizes;
  made.dimension[0].size_bytes = sizeof(long long);
  made.dimension[0].sizes_signed = 1;
  made.dimension[0].size_count = ranks;
  made.extents[0] = -1;
  return made;
}

struct placing {
  double *made;
  const struct blocks *from, *to;
};

static void place(void *context, int from, const double *elements) {
  const struct placing *placing = context;
  memcpy(placing->made + offset_in(placing->to, rank, placing->from, from), elements,
         sizeof(double) * overlap(placing->from, from, placing->to, rank));
}

static double *by_costa(double *old, const struct blocks *from, const struct blocks *to,
                        const struct exchange *exchange) {
  double *packed = malloc(sizeof(double) * (from->sizes[rank] + 1));
  double *arrived = malloc(sizeof(double) * (to->sizes[rank] + 1));
  double *made = malloc(sizeof(double) * (to->sizes[rank] + 1));
  for (int i = 0; i < ranks; ++i)
    if (exchange->send_counts[i])
      memcpy(packed + exchange->send_places[i], old + offset_in(from, rank, to, i),
             sizeof(double) * exchange->send_counts[i]);
  const struct costa_exchange by_rank = {exchange->send_counts, exchange->send_places,
                                         exchange->receive_counts, exchange->receive_places};
  struct placing placing = {made, from, to};
  costa_exchange(packed, arrived, &by_rank, place, &placing);
  free(packed), free(arrived), free(old);
  return made;
}

/* The same blocks, on the ranks on which the most elements stay: no longer in the order of ranks.
 */
static struct blocks relabelled(const struct blocks *from, const struct blocks *to) {
  long long *stays = malloc(sizeof(long long) * ranks * ranks);
  for (int block = 0; block < ranks; ++block)
    for (int i = 0; i < ranks; ++i)
      stays[(long long)block * ranks + i] = overlap(from, i, to, block);
  int *owner = relabel(stays, ranks);
  struct blocks made = {malloc(sizeof(long long) * ranks), malloc(sizeof(long long) * ranks)};
  for (int block = 0; block < ranks; ++block) {
    made.sizes[owner[block]] = to->sizes[block];
    made.begin[owner[block]] = to->begin[block];
  }
  free(stays), free(owner);
  return made;
}

enum { redistribute, alltoallv, at_once, costa, costa_relabelled, ways };
static const char *const names[ways] = {"redistribute", "MPI_Alltoallv", "all at once", "COSTA",
                                        "COSTA relabelled"};

static double one_round(int way, const struct blocks *from, const struct blocks *to,
                        const struct exchange *exchange, int check) {
  double *block = malloc(sizeof(double) * (from->sizes[rank] + 1));
  for (long long i = 0; i < from->sizes[rank]; ++i)
    block[i] = (double)(from->begin[rank] + i);
  struct sendwright_processors onto = {"P", 0, 1, {ranks, 0}};
  struct sendwright_array array = {"A", &block, sizeof(double), 0, 0};
  struct sendwright_array *const arrays[] = {&array};
  const struct sendwright_distribution before = gen_block(from), after = gen_block(to);
  sendwright_distribute(&site, &array, &onto, &before);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (way == redistribute)
    sendwright_redistribute(&site, SENDWRIGHT_SCHEDULE_AUTO, 0, 1, arrays, &after);
  else if (way == alltoallv)
    block = by_alltoallv(block, exchange, to->sizes[rank]);
  else if (way == at_once)
    block = all_at_once(block, exchange, to->sizes[rank]);
  else
    block = by_costa(block, from, to, exchange);
  const double time = time_since(begin);
  for (long long i = 0; check && i < to->sizes[rank]; ++i)
    if (block[i] != (double)(to->begin[rank] + i)) {
      fprintf(stderr, "%s: element %lld of rank %d is wrong\n", names[way], i, rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  sendwright_forget(&array);
  free(block);
  return time;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 5 && argc != 6) {
    fprintf(stderr, "usage: moves ELEMENTS PAIRS ROUNDS SEED [VARIATION]\n");
    return 2;
  }
  const long long elements = atoll(argv[1]);
  const int pairs = atoi(argv[2]), rounds = atoi(argv[3]);
  state = strtoull(argv[4], 0, 10);
  if (argc == 6)
    variation = atof(argv[5]);
  for (int pair = 0; pair < pairs; ++pair) {
    const struct blocks from = random_blocks(elements), to = random_blocks(elements);
    const struct blocks other = relabelled(&from, &to);
    const struct exchange exchange = exchange_of(&from, &to), of_other = exchange_of(&from, &other);
    double *times = malloc(sizeof(double) * ways * rounds);
    for (int round = 0; round < rounds; ++round)
      for (int turn = 0; turn < ways; ++turn) {
        const int way = (turn + round) % ways;
        const int moved = way == costa_relabelled;
        times[way * rounds + round] =
            one_round(way, &from, moved ? &other : &to, moved ? &of_other : &exchange, round == 0);
      }
    for (int way = 0; rank == 0 && way < ways; ++way) {
      printf("%d, %lld, %s:", pair, busiest_port(&from, &to), names[way]);
      for (int round = 0; round < rounds; ++round)
        printf(" %.4f", 1000 * times[way * rounds + round]);
      printf("\n");
    }
    fflush(stdout);
    free(times);
    free_exchange(&exchange), free_exchange(&of_other);
    free(from.sizes), free(from.begin), free(to.sizes), free(to.begin);
    free(other.sizes), free(other.begin);
  }
  MPI_Finalize();
  return 0;
}
