// Random patterns that come by turns in one loop: 1 to 5 turns, ranks that send the same twice or
// nothing, phases in which the turns change, and ranks that leave out executions in which they send
// nothing, so that they count turns of their own. Some phases end their iterations with a collective
// call. Fails if a value is wrong, or a rank waits for 20 seconds.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: for seed in 1 2 3 4 5 6 7 8; do env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json \
// RUN:   SENDWRIGHT_ADAPT_MEASURE=$((seed / 4 % 2)) SENDWRIGHT_ADAPT_WATCH=$((seed / 2 % 2)) \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 5 %t $seed || exit 1; done >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: of {{[2-5]}}: messages are shared from execution
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { most = 16, phases = 5, iterations = 60, most_turns = 5 };

static int rank, size;
static int distances[most_turns][most], leaves_out[most];

static unsigned state;

/* Alike on all ranks. */
static int below(int limit) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % (unsigned)limit);
}

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

static void exchange(const int *distance, int round) {
  int in[most], out[most], count = 0;
  MPI_Request requests[2 * most];
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    if (step <= distance[from])
      MPI_Irecv(&in[step], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  }
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

static void run_phase(void) {
  const int turns = 1 + below(most_turns), reduces = below(2), some_leave_out = below(2);
  for (int turn = 0; turn < turns; ++turn)
    for (int each = 0; each < size; ++each)
      distances[turn][each] = turn > 0 && below(3) == 0 ? distances[turn - 1][each] : below(2) * below(size);
  for (int each = 0; each < size; ++each)
    leaves_out[each] = some_leave_out && below(2);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int turn = 0; turn < turns; ++turn)
      exchange(distances[turn], iteration * turns + turn);
    if (reduces) {
      int own = iteration, sum;
      MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  state = (unsigned)atoi(argv[1]);
  for (int phase = 0; phase < phases; ++phase)
    run_phase();
  if (rank == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
