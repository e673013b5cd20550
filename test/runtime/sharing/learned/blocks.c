// A block of statements and loops learns as one loop does, and the loops in it do not learn by
// themselves. Results are right, also if some executions wait for a message between the sends, so that
// the loops learn. Fails if a loop of the block is shared, or if a message is lost.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t waits
// CHECK: sendwright: program.c:1000: messages are shared from execution
// CHECK-NOT: sendwright: program.c
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

enum { ranks = 6, executions = 40 };

#line 1000
PLANNED_LOOP(block, 1, SENDWRIGHT_SITE_BLOCK)
#line 2000
PLANNED_LOOP(one_loop, 2, 0)
#line 3000
PLANNED_LOOP(other_loop, 3, 0)

static int out[ranks], in[ranks];
static MPI_Request requests[2 * ranks];
static int count;

static int value_of(int execution, int from, int to) { return 1000 * execution + 10 * from + to; }

static void send_to(int to, int execution) {
  out[to] = value_of(execution, my_rank(), to);
  MPI_Isend(&out[to], 1, MPI_INT, to, 5, MPI_COMM_WORLD, &requests[count++]);
}

static void exchange(int execution, int waits) {
  const int rank = my_rank();
  count = 0;
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Irecv(&in[from], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(block);
    send_to((rank + 1) % ranks, execution);
    if (waits && execution % 8 < 6)
      MPI_Wait(&requests[rank == 0 ? ranks - 2 : rank - 1], MPI_STATUS_IGNORE);
    {
      sendwright_batch(one_loop);
      for (int step = 2; step < 3; ++step)
        send_to((rank + step) % ranks, execution);
    }
    {
      sendwright_batch(other_loop);
      for (int step = 3; step < ranks; ++step)
        send_to((rank + step) % ranks, execution);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    EXPECT(from == rank || in[from] == value_of(execution, from, rank));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  (void)argv;
  for (int execution = 0; execution < executions; ++execution) {
    int sum = 0, own = my_rank();
    exchange(execution, argc > 1);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == ranks * (ranks - 1) / 2);
  }
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
