// Random patterns that come in any order in one loop: 2 to 8 patterns, ranks that send nothing or the
// same in several of them, orders by levels of a grid or by chance, ranks that leave out executions in
// which they send nothing, phases in which the patterns change, collective calls after each iteration
// or none. Some ranks are late at times, so that messages wait in vain. Fails if a value is wrong, or a
// rank waits for 20 seconds.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: for seed in 2 5 7 8; do env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json \
// RUN:   SENDWRIGHT_ADAPT_MEASURE=$((seed % 2)) SENDWRIGHT_ADAPT_WATCH=$((seed / 2 % 2)) \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 5 %t $seed || exit 1; done >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: messages are shared from execution {{.*}} patterns in any order
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { most = 16, phases = 3, iterations = 50, most_patterns = 8 };

static int rank, size, has_levels, is_late;
static int distances[most_patterns][most], leaves_out[most];
static unsigned state;

/* Alike on all ranks. */
static int below(int limit) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % (unsigned)limit);
}

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

static void exchange(int pattern, int round) {
  const int *distance = distances[pattern];
  int in[most], out[most], count = 0;
  MPI_Request requests[2 * most];
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance[from])
      MPI_Irecv(&in[step], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  if (is_late && below(80) == rank)
    usleep(70000);
  if (distance[rank] > 0 || !leaves_out[rank]) {
    sendwright_batch(loop);
    for (int step = 1; step <= distance[rank]; ++step) {
      out[step] = value_of(round, rank, (rank + step) % size);
      MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % size, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance[from] && in[step] != value_of(round, from, rank)) {
      fprintf(stderr, "rank %d, round %d: %d from rank %d\n", rank, round, in[step], from);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

static void choose_patterns(int patterns) {
  const int may_leave_out = below(2);
  for (int who = 0; who < size; ++who)
    leaves_out[who] = may_leave_out && below(2);
  for (int pattern = 0; pattern < patterns; ++pattern)
    for (int who = 0; who < size; ++who)
      distances[pattern][who] = below(4) == 0 ? 0 : 1 + below(size - 1);
}

static int iterate(int patterns, int round) {
  if (has_levels) {
    for (int level = 0; level < patterns; ++level)
      exchange(level, round++);
    for (int level = patterns - 1; level-- > 0;)
      exchange(level, round++);
  } else {
    for (int times = 1 + below(2 * patterns); times > 0; --times)
      exchange(below(patterns), round++);
  }
  return round;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  state = argc > 1 ? (unsigned)atoi(argv[1]) : 1u;
  int round = 0;
  for (int phase = 0; phase < phases; ++phase) {
    const int patterns = 2 + below(most_patterns - 1), reduces = below(3);
    has_levels = below(2);
    is_late = below(4) == 0;
    choose_patterns(patterns);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      round = iterate(patterns, round);
      int own = iteration, sum;
      if (reduces)
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
