// A program makes a collective call more after every ninth iteration. Ranks that share by a plan or learn
// meet before few calls all the same, and go on sharing what they send: fails if they meet before several
// calls after each further one, or send directly from there on. Where calls and executions follow one
// another without order, results are right, and nobody waits for long.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t.planned %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t.planned
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t.planned
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: program.c:{{[0-9]+}}: messages are shared from execution
// CHECK-NOT: sent directly again
// CHECK: done

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"
#include "../inputs/counted-meetings.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4, every = 9 };

static int number;      /* of the execution, the same on all ranks */
static int sends; /* by MPI: of each execution three calls of the program, and two combined messages */

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
               MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(RTLD_NEXT,
                                                                                         "PMPI_Isend");
  ++sends;
  return next(buffer, count, type, to, tag, communicator, request);
}

/* Every rank sends to all others. */
static void exchange(void) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  ++number;
  for (int step = 1; step < ranks; ++step) {
    const int from = (rank + ranks - step) % ranks;
    MPI_Irecv(&in[from], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  {
    sendwright_batch(loop);
    for (int step = 1; step < ranks; ++step) {
      const int to = (rank + step) % ranks;
      out[to] = 1000 * number + 10 * rank + to;
      MPI_Isend(&out[to], 1, MPI_INT, to, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    EXPECT(from == rank || in[from] == 1000 * number + 10 * from + rank);
}

static void sum(void) {
  int own = my_rank() + number, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all == ranks * (ranks - 1) / 2 + ranks * number);
}

/* One execution and two calls, and a third after every ninth. */
static void iterate(int iterations) {
  for (int iteration = 1; iteration <= iterations; ++iteration) {
    exchange();
    sum();
    sum();
    if (iteration % every == 0)
      sum();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  const int shares = getenv("SENDWRIGHT_DISABLE") == NULL;
  iterate(8 * every);
  meetings = sends = 0;
  iterate(10 * every);
  EXPECT(!shares || (meetings >= 1 && meetings < 20)); /* 190 calls */
  EXPECT(!shares || sends < 10 * every * (ranks + 1) + 20);
  for (int round = 0; round < 40; ++round) {
    if (round % 5 != 0)
      exchange();
    sum();
    if (round % 7 == 0)
      exchange();
    if (round % 11 == 3)
      sum();
  }
  iterate(2 * every);
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
