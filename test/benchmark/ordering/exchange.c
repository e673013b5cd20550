/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Times one irregular exchange carried out in different ways, in turn, in one run:
 *
 *     exchange MATRIX BYTES ROUNDS [VARIANT]
 *
 * MATRIX is a communication matrix, a line for each sender (`SENDER: DEST:COUNT ...`); a message
 * holds COUNT * BYTES bytes. A round runs every variant once, in an order that changes from
 * round to round; the time of a variant is that of the slowest rank. The received data are
 * checked after each. Prints a line for each variant with the times of all rounds in
 * milliseconds. With VARIANT, only that one runs. */

#include "exchange.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks;

static void fail(const char *what) {
  fprintf(stderr, "exchange: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static int *integers(void) { return calloc((size_t)ranks, sizeof(int)); }

/* ---- the orders of sending ---------------------------------------------------------------------
 */

/* Ranks ascending, the same order at every rank: how loops are usually written. */
static int *order_given(const int *sends) {
  int i, *order = integers();
  (void)sends;
  for (i = 0; i < ranks; i++)
    order[i] = i;
  return order;
}

/* Receivers with more to send come first, the same at every rank: right for small messages. */
static int *order_by_key(const int *sends) {
  int i, j, *order = order_given(sends);
  for (i = 1; i < ranks; i++)
    for (j = i; j > 0 && sends[order[j]] > sends[order[j - 1]]; j--) {
      int swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
  return order;
}

/* Every rank starts with its successor, as a careful programmer would write. */
static int *order_rotated(const int *sends) {
  int i, *order = integers();
  (void)sends;
  for (i = 0; i < ranks; i++)
    order[i] = (me + 1 + i) % ranks;
  return order;
}

/* ---- the ways to exchange ----------------------------------------------------------------------
 */

static void all_at_once(const struct exchange *e, const int *order) {
  MPI_Request *requests = malloc(2 * (size_t)ranks * sizeof(MPI_Request));
  int i, count = 0;
  for (i = 0; i < ranks; i++)
    if (i != me && e->receive_bytes[i] > 0)
      MPI_Irecv(e->incoming + e->receive_offsets[i], e->receive_bytes[i], MPI_BYTE, i, 0,
                MPI_COMM_WORLD, &requests[count++]);
  for (i = 0; i < ranks; i++)
    if (order[i] != me && e->send_bytes[order[i]] > 0)
      MPI_Isend(e->outgoing + e->send_offsets[order[i]], e->send_bytes[order[i]], MPI_BYTE,
                order[i], 0, MPI_COMM_WORLD, &requests[count++]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

static void collective(const struct exchange *e, const int *order) {
  (void)order;
  MPI_Alltoallv(e->outgoing, e->send_bytes, e->send_offsets, MPI_BYTE, e->incoming,
                e->receive_bytes, e->receive_offsets, MPI_BYTE, MPI_COMM_WORLD);
}

static void collective_regular(const struct exchange *e, const int *order) {
  (void)order;
  MPI_Alltoall(e->outgoing, e->send_bytes[(me + 1) % ranks], MPI_BYTE, e->incoming,
               e->receive_bytes[(me + 1) % ranks], MPI_BYTE, MPI_COMM_WORLD);
}

struct variant {
  const char *name;
  void (*exchange)(const struct exchange *, const int *);
  int *(*order)(const int *);
  double *milliseconds;
  int *destinations;
};

static struct variant variants[] = {
    {"given", exchange_as_written, order_given, NULL, NULL},
    {"rewritten", exchange_rebuilt, order_given, NULL, NULL},
    {"key order", exchange_as_written, order_by_key, NULL, NULL},
    {"staggered by hand", exchange_as_written, order_rotated, NULL, NULL},
    {"all at once", all_at_once, order_given, NULL, NULL},
    {"MPI_Alltoallv", collective, order_given, NULL, NULL},
    {"MPI_Alltoall", collective_regular, order_given, NULL, NULL},
};
enum { VARIANTS = sizeof(variants) / sizeof(variants[0]), REGULAR = VARIANTS - 1 };

/* ---- pattern and data --------------------------------------------------------------------------
 */

/* Fills `e` and the number of each rank's messages; returns whether all pairs exchange the same. */
static int read_matrix(const char *name, int bytes, struct exchange *e, int *sends) {
  static char line[1 << 16];
  int read, pairs = 0, regular = 1;
  long from, to, count, first = 0;
  char *at;
  FILE *file = fopen(name, "r");
  if (file == NULL)
    fail("the matrix cannot be read");
  while (fgets(line, sizeof(line), file) != NULL) {
    if (line[0] == '#' || sscanf(line, "%ld :%n", &from, &read) != 1)
      continue;
    for (at = line + read; sscanf(at, "%ld:%ld%n", &to, &count, &read) == 2; at += read) {
      if (from < 0 || from >= ranks || to < 0 || to >= ranks || count < 1 || count > 10000)
        fail("the matrix does not fit the number of ranks");
      if (from == me)
        e->send_bytes[to] = (int)count * bytes;
      if (to == me)
        e->receive_bytes[from] = (int)count * bytes;
      sends[from]++;
      first = pairs++ == 0 ? count : first;
      regular = regular && count == first;
    }
  }
  fclose(file);
  if (regular && pairs == ranks * (ranks - 1)) /* MPI_Alltoall also sends to itself */
    e->send_bytes[me] = e->receive_bytes[me] = bytes * (int)first;
  return regular && pairs == ranks * (ranks - 1);
}

static unsigned char *layout(const int *bytes, int *offsets) {
  int i, total = 0;
  for (i = 0; i < ranks; total += bytes[i++])
    offsets[i] = total;
  return calloc((size_t)total + 1, 1);
}

static unsigned char content(int from, int to, int position, int round) {
  return (unsigned char)(from * 31 + to * 7 + position + round * 13);
}

static void fill(struct exchange *e, int round) {
  int i, j;
  for (i = 0; i < ranks; i++) {
    for (j = 0; j < e->send_bytes[i]; j++)
      e->outgoing[e->send_offsets[i] + j] = content(me, i, j, round);
    memset(e->incoming + e->receive_offsets[i], 0, (size_t)e->receive_bytes[i]);
  }
}

static void check(const struct exchange *e, int round, const char *variant) {
  int i, j;
  for (i = 0; i < ranks; i++)
    for (j = 0; i != me && j < e->receive_bytes[i]; j++)
      if (e->incoming[e->receive_offsets[i] + j] != content(i, me, j, round))
        fail(variant);
}

static double slowest(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double run_once(struct exchange *e, const struct variant *v, int round) {
  double start;
  fill(e, round);
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  v->exchange(e, v->destinations);
  start = slowest(MPI_Wtime() - start);
  check(e, round, v->name);
  return 1e3 * start;
}

int main(int argc, char **argv) {
  int i, round, rounds, regular, *sends;
  struct exchange e;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4)
    fail("usage: exchange MATRIX BYTES ROUNDS [VARIANT]");
  rounds = atoi(argv[3]);
  e.me = me, e.ranks = ranks;
  e.send_bytes = integers(), e.send_offsets = integers();
  e.receive_bytes = integers(), e.receive_offsets = integers();
  sends = integers();
  regular = read_matrix(argv[1], atoi(argv[2]), &e, sends);
  e.outgoing = layout(e.send_bytes, e.send_offsets);
  e.incoming = layout(e.receive_bytes, e.receive_offsets);
  for (i = 0; i < VARIANTS; i++) {
    variants[i].destinations = variants[i].order(sends);
    variants[i].milliseconds = calloc((size_t)rounds + 1, sizeof(double));
  }

  /* Round 0 opens the connections and does not count. */
  for (round = 0; round <= rounds; round++)
    for (i = 0; i < VARIANTS; i++) {
      struct variant *v = &variants[(i + round) % VARIANTS];
      if ((argc > 4 && strcmp(argv[4], v->name) != 0) || (v == &variants[REGULAR] && !regular))
        continue;
      v->milliseconds[round] = run_once(&e, v, round);
    }
  for (i = 0; me == 0 && i < VARIANTS; i++) {
    if ((argc > 4 && strcmp(argv[4], variants[i].name) != 0) || (i == REGULAR && !regular))
      continue;
    printf("%s:", variants[i].name);
    for (round = 1; round <= rounds; round++)
      printf(" %.3f", variants[i].milliseconds[round]);
    printf("\n");
  }
  MPI_Finalize();
  return 0;
}
