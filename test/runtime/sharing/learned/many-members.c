// In larger jobs proposals come to a leader by way of other ranks, and so do its answers. Some ranks
// have few messages, and propose only when they are asked; later in the run the messages are others,
// and are learned anew. Fails if messages are not shared both times, if a message is lost, or if the
// run hangs.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=60,abort %mpirun 11 %t calls >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=60,abort %mpirun 11 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_WATCHDOG=60,abort %mpirun 11 %t calls >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: messages are shared from execution
// CHECK: others
// CHECK: messages are shared from execution
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 11, changed = 50, rounds = 300, program_tag = 7 };

static int value_of(int round, int from, int to) { return 1000 * round + 20 * from + to; }

/* Whether a rank has a message for another one: some ranks have but one. */
static int sends(int from, int to, int second) {
  const int distance = (to - from + ranks) % ranks;
  const int few = from % 4 == 3;
  return distance == 1 + second || (!few && distance > 0 && distance < 8 - second);
}

static void exchange(int round, int second) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  for (int from = 0; from < ranks; ++from)
    if (sends(from, rank, second))
      MPI_Irecv(&in[from], 1, MPI_INT, from, program_tag, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int to = 0; to < ranks; ++to) {
      out[to] = value_of(round, rank, to);
      if (sends(rank, to, second))
        MPI_Isend(&out[to], 1, MPI_INT, to, program_tag, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    EXPECT(!sends(from, rank, second) || in[from] == value_of(round, from, rank));
}

static void say(const char *text) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    fprintf(stderr, "%s\n", text);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  for (int round = 0; round < rounds; ++round) {
    if (round == changed)
      say("others");
    exchange(round, round >= changed);
    if (argc > 1)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  say("done");
  MPI_Finalize();
}
