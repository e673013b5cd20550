// A run that learns does not make the ranks meet before each collective call: neither while nothing
// is shared, nor when learned routes are in use and their instances repeat. Results are right, and
// nobody waits for long, also when ranks leave the loop out, send other messages, enter a collective
// early, or send large messages to a rank in a collective. Fails if ranks meet before each call, or if
// a rank enters one while others wait for what it should pass on.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t
// CHECK: program.c:{{[0-9]+}}: messages are shared from execution
// CHECK: steady
// CHECK: messages are sent directly again: rank {{[0-9]}} sent other messages than before
// CHECK: done

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"
#include "../../inputs/counted-meetings.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(quiet_loop, 1, 0)
PLANNED_LOOP(loop, 2, 0)
PLANNED_LOOP(late_loop, 3, 0)

enum { ranks = 4, large = 50000 };

static int number;   /* of the execution, the same for all */

static int value_of(int from, int to) { return 1000 * number + 10 * from + to; }

/* Every rank sends to the next `distance` ranks; ranks of which `skips` has the bit take no part. */
#define EXCHANGE(LOOP, DISTANCE, SKIPS)                                                            \
  do {                                                                                             \
    const int rank = my_rank();                                                                    \
    int out[ranks], in[ranks], count = 0;                                                          \
    MPI_Request requests[2 * ranks];                                                               \
    ++number;                                                                                      \
    if ((SKIPS) >> rank & 1)                                                                       \
      break;                                                                                       \
    for (int step = 1; step <= (DISTANCE); ++step) {                                               \
      const int from = (rank + ranks - step) % ranks;                                              \
      if (!((SKIPS) >> from & 1))                                                                  \
        MPI_Irecv(&in[from], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);             \
    }                                                                                              \
    {                                                                                              \
      sendwright_batch(LOOP);                                                                      \
      for (int step = 1; step <= (DISTANCE); ++step) {                                             \
        const int to = (rank + step) % ranks;                                                      \
        out[to] = value_of(rank, to);                                                              \
        if (!((SKIPS) >> to & 1))                                                                  \
          MPI_Isend(&out[to], 1, MPI_INT, to, 5, MPI_COMM_WORLD, &requests[count++]);              \
      }                                                                                            \
    }                                                                                              \
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);                                             \
    for (int step = 1; step <= (DISTANCE); ++step) {                                               \
      const int from = (rank + ranks - step) % ranks;                                              \
      EXPECT(((SKIPS) >> from & 1) || in[from] == value_of(from, rank));                           \
    }                                                                                              \
  } while (0)

static void sum(void) {
  int own = my_rank() + number, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all == ranks * (ranks - 1) / 2 + ranks * number);
}

static void say(const char *text) {
  if (my_rank() == 0)
    fprintf(stderr, "%s\n", text);
}

/* Receives that are posted before a collective, whose messages come from ranks that enter it later. */
static void send_large(void) {
  static int out[large], in[large];
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request request;
  for (int index = 0; index < large; ++index)
    out[index] = rank + index + number;
  MPI_Irecv(in, large, MPI_INT, from, 5, MPI_COMM_WORLD, &request);
  if (rank % 2)
    MPI_Send(out, large, MPI_INT, to, 5, MPI_COMM_WORLD);
  sum();
  if (rank % 2 == 0)
    MPI_Send(out, large, MPI_INT, to, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int index = 0; index < large; ++index)
    EXPECT(in[index] == from + index + number);
}

/* Ranks leave a collective at different times, and enter it early. */
static void leave_early(int round) {
  int value = my_rank() == round % ranks ? number : 0;
  MPI_Bcast(&value, 1, MPI_INT, round % ranks, MPI_COMM_WORLD);
  EXPECT(value == number);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  const int learns = getenv("SENDWRIGHT_ADAPT") != NULL;
  for (int round = 0; round < 20; ++round) {
    EXCHANGE(quiet_loop, 1, 0);
    sum();
  }
  EXPECT(!learns || meetings < 10);
  for (int round = 0; round < 70; ++round) {
    EXCHANGE(loop, 3, 0);
    sum();
    leave_early(round);
  }
  meetings = 0;
  for (int round = 0; round < 40; ++round) {
    EXCHANGE(loop, 3, 0);
    sum();
    leave_early(round);
  }
  EXPECT(!learns || (meetings >= 1 && meetings < 12));
  say("steady");
  for (int round = 0; round < 10; ++round) {
    send_large();
    EXCHANGE(loop, 3, 0);
    leave_early(round);
  }
  for (int round = 0; round < 20; ++round) { /* a rank takes no part now and then */
    EXCHANGE(loop, 3, round % 3 == 0 ? 1u << round % ranks : 0u);
    leave_early(round);
    sum();
  }
  for (int round = 0; round < 60; ++round) { /* other messages */
    EXCHANGE(loop, 1 + round / 12 % 3, 0);
    if (round % 2)
      leave_early(round);
  }
  for (int round = 0; round < 30; ++round) /* no collective between executions, then one */
    EXCHANGE(late_loop, 3, 0);
  sum();
  for (int round = 0; round < 30; ++round) {
    EXCHANGE(late_loop, 3, round % 7 == 6 ? 2u : 0u);
    for (int again = 0; again < round % 4; ++again)
      leave_early(round + again);
  }
  sum();
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
