// Patterns that come in any order in one loop are learned: each execution belongs to the pattern that
// it sends. The order depends on data, and has no period. With a collective call after each iteration
// one rank leaves out coarse levels; without any, all ranks execute the loop alike. One rank sends the
// same in two patterns, and takes no part in these. Fails if nothing is shared, or a value is wrong.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,ALL %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t reduce >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,ALL %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t reduce >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,ALL %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t late >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,LATE %s <%t.out
// CHECK: program.c:[[LOOP:[0-9]+]]: messages are shared from execution {{[0-9]+}} on: {{[34]}} patterns in any order (predicted
// ALL-NOT: directly again
// LATE: program.c:[[LOOP]]: messages are sent directly again: messages waited too long at rank {{[0-6]}} to be combined
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { most = 16, iterations = 100, levels = 4, coarse = 2 };

static int rank, size, leaves_out;
static unsigned state = 1;

/* Alike on all ranks. */
static int below(int limit) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % (unsigned)limit);
}

/* How far a rank sends on a level. */
static int distance(int level, int from) {
  if (level >= coarse && from == 5)
    return 0;
  if (from == 4)
    return level < 2 ? 5 : 6 - level; /* the same on two levels */
  return size - 1 - (from + level) % 4;
}

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

static void exchange(int level, int round) {
  int in[most], out[most], count = 0;
  MPI_Request requests[2 * most];
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance(level, from))
      MPI_Irecv(&in[step], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  if (!leaves_out || distance(level, rank) > 0) {
    sendwright_batch(loop);
    for (int step = 1; step <= distance(level, rank); ++step) {
      out[step] = value_of(round, rank, (rank + step) % size);
      MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % size, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance(level, from) && in[step] != value_of(round, from, rank)) {
      fprintf(stderr, "rank %d, round %d: %d from rank %d\n", rank, round, in[step], from);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

/* One rank sends the messages of a pattern once more: the others have no such execution, and what it
   sends later in this pattern is combined with messages that they have sent before. */
static void send_once_more(int iteration) {
  static int out, in;
  MPI_Request requests[most];
  int count = 0;
  out = iteration;
  if (rank == 1) {
    sendwright_batch(loop);
    for (int step = 1; step <= distance(0, 1); ++step)
      MPI_Isend(&out, 1, MPI_INT, (rank + step) % size, 6, MPI_COMM_WORLD, &requests[count++]);
  } else if ((rank + size - 1) % size <= distance(0, 1)) {
    MPI_Irecv(&in, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int reduces = argc > 1 && strcmp(argv[1], "reduce") == 0;
  const int late = argc > 1 && strcmp(argv[1], "late") == 0;
  leaves_out = reduces;
  int round = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const int deepest = 1 + below(levels - 1);
    for (int level = 0; level <= deepest; ++level)
      exchange(level, round++);
    for (int times = below(3); times > 0; --times)
      exchange(deepest, round++);
    for (int level = deepest; level-- > 0;)
      exchange(level, round++);
    if (late && iteration == iterations - 20)
      send_once_more(iteration);
    if (reduces) {
      int own = iteration, sum;
      MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
