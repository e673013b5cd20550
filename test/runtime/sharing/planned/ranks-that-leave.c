// Runs that go wrong between collective calls that members enter without meeting: a rank skips
// executions of the loop, or enters a collective early, while the others execute it; also before
// collectives of parts of the world and of a rank alone. Nobody waits for good, and the watchdog has
// nothing to say. A rank that calls exit(), or returns from main without finalizing, ends the job, as it
// ends one whose messages are not shared: Open MPI's launcher says 1; MPICH's 0, or 9 if it had to kill others.
// Nobody crashes, takes a wrong message, or waits until the watchdog speaks. Fails if a rank waits for one that
// does not come.
//
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.line
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\n' | %write_plan %t.grid
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: for plan in line grid; do env TEST_PLAN=%t.$plan SENDWRIGHT_WATCHDOG=20,abort MPIRUN_LIMIT=150 %mpirun 4 %t >%t.out 2>&1 && test ! -s %t.out || exit 1; done
// RUN: for end in 1 2 3 4; do \
// RUN:   env TEST_PLAN=%t.line SENDWRIGHT_WATCHDOG=20,abort MPIRUN_LIMIT=60 %mpirun 4 %t $end >%t.out 2>&1; \
// RUN:   case $? in 0|1|9) ;; *) exit 1 ;; esac; \
// RUN:   ! grep -E 'not true|has waited' %t.out || exit 1; \
// RUN: done

#include "../../inputs/calls-without-meeting.h"

#include <stdlib.h>

static MPI_Comm half, row;

/* Ranks of `takes` execute the loop; the others go on to the calls at once. */
static void iteration(unsigned takes) {
  exchange_among(takes);
  sum(MPI_COMM_WORLD);
}

static void skips(void) {
  for (int rank = 1; rank < most_ranks; rank += 2) {
    iteration(15 & ~(1u << rank));
    iterate(10);
    for (int times = 0; times < 3; ++times) /* for good */
      iteration(15 & ~(1u << rank));
    iterate(10);
  }
}

/* The rank makes the call before the executions, the others after them. */
static void enters_early(void) {
  for (int rank = 1; rank < most_ranks; rank += 2) {
    if (my_rank() == rank)
      sum(MPI_COMM_WORLD);
    exchange_among(15 & ~(1u << rank));
    exchange_among(15 & ~(1u << rank));
    if (my_rank() != rank)
      sum(MPI_COMM_WORLD);
    iterate(10);
  }
}

/* The same beside calls of parts of the world, and of each rank alone. */
static void beside_parts_of_the_world(void) {
  for (int rank = 1; rank < most_ranks; rank += 2) {
    for (int times = 0; times < 5; ++times) {
      const unsigned takes = times == 3 ? 15 & ~(1u << rank) : 15;
      exchange_among(takes);
      sum(half);
      sum(MPI_COMM_SELF);
      exchange_among(takes);
      if (times % 2)
        sum(row);
      sum(MPI_COMM_WORLD);
      sum(MPI_COMM_SELF);
    }
    if (my_rank() == rank) {
      sum(MPI_COMM_SELF);
      sum(half);
    }
    exchange_among(15 & ~(1u << rank));
    if (my_rank() != rank)
      sum(half);
    iterate(10);
  }
}

/* Rank 1 passes messages on. The others go on until they miss it. */
static int leaves(int how) {
  how % 2 ? iterate_until_without_meeting() : iterate(2);
  if (my_rank() == 1 && how <= 2)
    exit(0);
  if (my_rank() == 1)
    return 0;
  iterate(12);
  MPI_Finalize();
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1)
    return leaves(atoi(argv[1]));
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() / 2, my_rank(), &half);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, my_rank(), &row);
  iterate_until_without_meeting();
  skips();
  enters_early();
  beside_parts_of_the_world();
  MPI_Comm_free(&row);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
