// A rank waits in a collective call with posted receives. Another rank sends it a message that must have
// met its receive before its sender may go on, and comes to the collective only then: a first such
// message after many calls before which the ranks did not meet. The receives are from any source, or of
// any tag beside others with a tag. Hangs if the receiver enters the call at once: inside it serves nobody,
// and no message to the sender can say which of its messages these receives will get.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=10,abort %mpirun 4 %t any-source >%t.out 2>&1
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=10,abort %mpirun 4 %t any-source-while-sharing >>%t.out 2>&1
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=10,abort %mpirun 4 %t mixed-tags >>%t.out 2>&1
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t any-source
// RUN: %FileCheck %s <%t.out
// CHECK-NOT: has waited
// CHECK: done: any-source
// CHECK: messages are shared from execution
// CHECK-NOT: has waited
// CHECK: done: any-source-while-sharing
// CHECK-NOT: has waited
// CHECK: done: mixed-tags

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4 };

/* Every rank sends to the next `distance` ranks. */
static void exchange(int distance, int number) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  for (int step = 1; step <= distance; ++step) {
    const int from = (rank + ranks - step) % ranks;
    MPI_Irecv(&in[from], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  {
    sendwright_batch(loop);
    for (int step = 1; step <= distance; ++step) {
      const int to = (rank + step) % ranks;
      out[to] = 10 * rank + number;
      MPI_Isend(&out[to], 1, MPI_INT, to, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int step = 1; step <= distance; ++step) {
    const int from = (rank + ranks - step) % ranks;
    EXPECT(in[from] == 10 * from + number);
  }
}

static void sum(void) {
  int own = my_rank(), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all == ranks * (ranks - 1) / 2);
}

/* Two ranks send to one that is in the call already. */
static void to_any_source(void) {
  const int rank = my_rank();
  int in[2] = {0, 0}, out = rank;
  MPI_Request requests[2];
  if (rank == 0)
    for (int index = 0; index < 2; ++index)
      MPI_Irecv(&in[index], 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[index]);
  if (rank == 1 || rank == 3)
    MPI_Ssend(&out, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  sum();
  if (rank == 0) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT(in[0] + in[1] == 4);
  }
}

static void to_mixed_tags(void) {
  const int rank = my_rank();
  int in[2] = {0, 0}, out[2] = {3, 4};
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Irecv(&in[0], 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  }
  if (rank == 1) {
    MPI_Send(&out[0], 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPI_Ssend(&out[1], 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  sum();
  if (rank == 0) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT(in[0] == 3 && in[1] == 4);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(argc == 2 && rank_count() == ranks);
  const char *const what = argv[1];
  const int distance = strcmp(what, "any-source-while-sharing") == 0 ? 3 : 1;
  for (int number = 0; number < 40; ++number) {
    exchange(distance, number);
    sum();
    sum();
  }
  for (int number = 0; number < 3; ++number) {
    if (strncmp(what, "any-source", 10) == 0)
      to_any_source();
    else
      to_mixed_tags();
  }
  if (my_rank() == 0)
    printf("done: %s\n", what);
  MPI_Finalize();
}
