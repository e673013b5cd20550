// While a run learns, ranks do not meet before each collective call on a duplicate of MPI_COMM_WORLD
// either, where many libraries call them: calls on all communicators of all ranks count together. Their
// results are right, also where such calls alternate, and where some are on halves of the world, before
// which members always meet. Fails if ranks meet before each call on the duplicate.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t
// CHECK: program.c:{{[0-9]+}}: messages are shared from execution
// CHECK: done

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"
#include "../../inputs/counted-meetings.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(quiet_loop, 1, 0)
PLANNED_LOOP(loop, 2, 0)

enum { ranks = 4 };

static int number;   /* of the execution, the same for all */

int PMPI_Ibarrier(MPI_Comm communicator, MPI_Request *request) {
  int (*const next)(MPI_Comm, MPI_Request *) =
      (int (*)(MPI_Comm, MPI_Request *))dlsym(RTLD_NEXT, "PMPI_Ibarrier");
  ++meetings;
  return next(communicator, request);
}

/* Every rank sends to the next `DISTANCE` ranks. */
#define EXCHANGE(LOOP, DISTANCE, COMMUNICATOR)                                                     \
  do {                                                                                             \
    const int rank = my_rank();                                                                    \
    int out[ranks], in[ranks], count = 0;                                                          \
    MPI_Request requests[2 * ranks];                                                               \
    ++number;                                                                                      \
    for (int step = 1; step <= (DISTANCE); ++step) {                                               \
      const int from = (rank + ranks - step) % ranks;                                              \
      MPI_Irecv(&in[from], 1, MPI_INT, from, 5, COMMUNICATOR, &requests[count++]);                 \
    }                                                                                              \
    {                                                                                              \
      sendwright_batch(LOOP);                                                                      \
      for (int step = 1; step <= (DISTANCE); ++step) {                                             \
        const int to = (rank + step) % ranks;                                                      \
        out[to] = 10 * rank + number;                                                              \
        MPI_Isend(&out[to], 1, MPI_INT, to, 5, COMMUNICATOR, &requests[count++]);                  \
      }                                                                                            \
    }                                                                                              \
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);                                             \
    for (int step = 1; step <= (DISTANCE); ++step) {                                               \
      const int from = (rank + ranks - step) % ranks;                                              \
      EXPECT(in[from] == 10 * from + number);                                                      \
    }                                                                                              \
  } while (0)

static void sum(MPI_Comm communicator, int expected) {
  int own = my_rank(), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, communicator);
  EXPECT(all == expected);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  const int learns = getenv("SENDWRIGHT_ADAPT") != NULL, odd = my_rank() % 2;
  MPI_Comm duplicate, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half);
  for (int round = 0; round < 60; ++round) { /* nothing is shared */
    EXCHANGE(quiet_loop, 1, duplicate);
    sum(duplicate, 6);
  }
  EXPECT(!learns || meetings < 24);
  for (int round = 0; round < 100; ++round) {
    EXCHANGE(loop, 3, duplicate);
    sum(round % 2 ? duplicate : MPI_COMM_WORLD, 6);
  }
  meetings = 0;
  for (int round = 0; round < 40; ++round) { /* learned routes are in use */
    EXCHANGE(loop, 3, duplicate);
    sum(round % 2 ? duplicate : MPI_COMM_WORLD, 6);
  }
  EXPECT(!learns || (meetings >= 1 && meetings < 12));
  for (int round = 0; round < 20; ++round) {
    EXCHANGE(loop, 3, duplicate);
    sum(half, odd ? 4 : 2);
    sum(duplicate, 6);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&duplicate);
  for (int round = 0; round < 20; ++round) {
    EXCHANGE(loop, 2, MPI_COMM_WORLD);
    sum(MPI_COMM_WORLD, 6);
  }
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
