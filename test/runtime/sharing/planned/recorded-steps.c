// A plan has the numbers of instances between the collective calls of the recorded run. They do not
// repeat, and yet members meet before few calls of a run that does the same. A run that does something
// else gets right results, too, nobody waits for long, and from where it does the same again members
// meet seldom. Fails if they meet before each call, or if a rank waits for one that does something else.
//
// RUN: awk 'BEGIN { print "ranks 4\nsite 1\nexchange 2x2\nmessages 5"; printf "steps"; \
// RUN:   for (call = 0; call < 120; ++call) printf " %d", call * call % 7 % 4; print "" }' \
// RUN:   | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"
#include "../../inputs/counted-meetings.h"
#include "../../inputs/skipped-executions.h"

#include <stdlib.h>

enum { recorded = 120 };

static void sum(void) {
  int own = my_rank() + number, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all == ranks * (ranks - 1) / 2 + ranks * number);
}

/* What the recorded run does before and in its collective calls from `first` to `end`. */
static void follow(int first, int end) {
  for (int call = first; call < end; ++call) {
    for (int times = 0; times < call * call % 7 % 4; ++times)
      exchange(0);
    sum();
  }
}

/* How often members meet in it; 0 as written. */
static int meetings_in(int first, int end) {
  const int before = meetings;
  follow(first, end);
  return meetings - before;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(meetings_in(0, 100) < 12);
  for (int rank = 0; rank < ranks; ++rank) { /* left out, or too many, where something else is promised */
    exchange(1u << rank);
    sum();
    exchange(0);
    exchange(0);
    exchange(1u << rank);
    sum();
  }
  EXPECT(meetings_in(60, recorded) < 35);
  for (int times = 0; times < 40; ++times)
    exchange(times % 5 == 0 ? 3 : 0);
  if (my_rank() == 2) { /* early, leaving out the rest */
    sum();
    ++number;
  } else {
    --number;
    exchange(4);
    sum();
    ++number;
  }
  follow(0, 50);
  srand(7);
  for (int call = 0; call < 100; ++call) {
    for (int times = rand() % 4; times > 0; --times)
      exchange(rand() % 8 == 0 ? 1u << rand() % ranks : 0);
    sum();
  }
  MPI_Finalize();
  return 0;
}
