// Ranks that have left a level do not come to its loop, and there are no collective calls by which the
// others could tell: patterns belong together that answer one another. If a rank has executed one of
// them once more, nothing is shared, since no rank may count otherwise than the rest. Fails if a value
// is wrong, or if that is not said.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 8 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=ALIKE,CHECK %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 8 %t once-more >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=OTHERWISE,CHECK %s <%t.out
// ALIKE: program.c:{{[0-9]+}}: messages are shared from execution {{[0-9]+}} on: 2 patterns in any order (predicted
// ALIKE-NOT: directly again
// OTHERWISE-NOT: messages are shared
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 8, cycles = 600, fine = 0, coarse = 1 };

static int rank;

/* Odd distances on the fine level, even ones between the ranks of the coarse level. */
static int sends(int level, int from, int to) {
  return from != to && (level == fine ? (from + to) % 2 == 1 : from % 2 == 0 && to % 2 == 0);
}

static void exchange(int level, int round) {
  int in[ranks], out[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  for (int other = 0; other < ranks; ++other)
    if (sends(level, other, rank))
      MPI_Irecv(&in[other], 1, MPI_INT, other, level, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int other = 0; other < ranks; ++other)
      if (sends(level, rank, other)) {
        out[other] = (round * ranks + rank) * ranks + other;
        MPI_Isend(&out[other], 1, MPI_INT, other, level, MPI_COMM_WORLD, &requests[count++]);
      }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int other = 0; other < ranks; ++other)
    if (sends(level, other, rank) && in[other] != (round * ranks + other) * ranks + rank) {
      fprintf(stderr, "rank %d, round %d: %d from rank %d\n", rank, round, in[other], other);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* As on the fine level, but one rank alone does it. */
static void send_once_more(void) {
  MPI_Request requests[ranks];
  int out = 0, in, count = 0;
  if (rank == 3) {
    sendwright_batch(loop);
    for (int other = 0; other < ranks; ++other)
      if (sends(fine, rank, other))
        MPI_Isend(&out, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[count++]);
  } else if (sends(fine, 3, rank)) {
    MPI_Irecv(&in, 1, MPI_INT, 3, 2, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int round = 0;
  if (argc > 1)
    send_once_more();
  for (int cycle = 0; cycle < cycles; ++cycle)
    for (int step = 0; step < 6; ++step, ++round) {
      const int level = step == 2 || step == 3 ? coarse : fine;
      if (level == fine || rank % 2 == 0)
        exchange(level, round);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
