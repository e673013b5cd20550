// Patterns that come by turns in one loop are learned: each turn has an exchange of its own. Ranks
// see different numbers of turns (one sends the same twice, another nothing in two turns of three),
// and find the same number. When the turns change, they learn again, as turns or as patterns in any
// order, if collective calls let them find that all ranks count alike. With a collective call in each iteration, and without any. Fails if a turn
// is not shared, or a value is wrong.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t reduce >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,CALLS %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t reduce >%t.out 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,CALLS %s <%t.out
// CHECK-DAG: program.c:[[LOOP:[0-9]+]], pattern 1 of 3: messages are shared from execution
// CHECK-DAG: program.c:[[LOOP]], pattern 2 of 3: messages are shared from execution
// CHECK-DAG: program.c:[[LOOP]], pattern 3 of 3: messages are shared from execution
// CHECK: three turns
// CALLS-DAG: program.c:[[LOOP]]{{(, pattern [1-6] of 6: messages are shared|: messages are shared .* 2 patterns)}}
// CHECK: two turns
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { most = 16, iterations = 150 };

static int rank, size;

/* How far a rank sends in a turn. */
static int distance(int turn, int from) {
  if (turn == 0)
    return size - 1;
  if (turn == 1)
    return from < 3 ? size - 1 : 0;
  return from == size - 1 ? 0 : from == 4 ? size - 1 : 3;
}

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

static void exchange(int turn, int round) {
  int in[most], out[most], count = 0;
  MPI_Request requests[2 * most];
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance(turn, from))
      MPI_Irecv(&in[step], 1, MPI_INT, from, 5 + turn, MPI_COMM_WORLD, &requests[count++]);
  }
  {
    sendwright_batch(loop);
    for (int step = 1; step <= distance(turn, rank); ++step) {
      out[step] = value_of(round, rank, (rank + step) % size);
      MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % size, 5 + turn, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance(turn, from) && in[step] != value_of(round, from, rank)) {
      fprintf(stderr, "rank %d, round %d: %d from rank %d\n", rank, round, in[step], from);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

static void iterate(int turns, int reduces, const char *name) {
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int turn = 0; turn < turns; ++turn)
      exchange(turn, iteration * turns + turn);
    if (reduces) {
      int own = iteration, sum;
      MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    fprintf(stderr, "%s\n", name);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int reduces = argc > 1 && strcmp(argv[1], "reduce") == 0;
  iterate(3, reduces, "three turns");
  iterate(2, reduces, "two turns");
  if (rank == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
