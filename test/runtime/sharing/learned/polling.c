// Ranks that poll for their messages are not made to pass on those of others: what they send goes
// directly, also where it repeats. Once they wait instead, they share. Fails if messages are shared
// while ranks poll, or never afterwards.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 4 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK-NOT: shared from
// CHECK: polled
// CHECK: messages are shared from execution
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4, few = 8, rounds = 300 };

static void exchange(int round, int polls) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Irecv(&in[from], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &requests[count++]);
  for (int poll = 0; polls && poll < few; ++poll) {
    int found;
    MPI_Iprobe((rank + 1) % ranks, 9, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    EXPECT(!found);
  }
  {
    sendwright_batch(loop);
    for (int to = 0; to < ranks; ++to) {
      out[to] = 100 * round + 10 * rank + to;
      if (to != rank)
        MPI_Isend(&out[to], 1, MPI_INT, to, 7, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    EXPECT(from == rank || in[from] == 100 * round + 10 * from + rank);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  for (int round = 0; round < rounds; ++round) {
    exchange(round, 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (my_rank() == 0)
    fprintf(stderr, "polled\n");
  for (int round = 0; round < 4 * rounds; ++round) {
    exchange(round, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (my_rank() == 0)
    fprintf(stderr, "done\n");
  MPI_Finalize();
}
