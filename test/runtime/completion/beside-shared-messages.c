// A loop whose sends complete early beside a loop whose messages are shared, between the same ranks: every
// message of a pair with one tag keeps its place among the others, whichever loop sends it, also where the
// copies have no room and where a run verifies its plan, so that MPI carries all messages now and then. Fails
// if messages overtake one another, if a rank reads what the sender has overwritten, or if a rank waits in a
// send for its receiver (late: all ranks send before any receives) although copies have room.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\nsite 2\nearly least=1000 most=4000000\n' | %write_plan %t.plan
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\nsite 2\nearly least=1000 most=50000\n' | %write_plan %t.small
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t late 40 2> %t.err
// RUN: test ! -s %t.err
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t posted 40
// RUN: env TEST_PLAN=%t.small SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t posted 40
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_VERIFY=%t.json SENDWRIGHT_VERIFY_TURN=1 SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t posted 200 2> %t.table
// RUN: %FileCheck %s < %t.table
// CHECK-DAG: program.c:{{[0-9]+}} (message-sharing){{ +}}200 {{.*}} % (
// CHECK-DAG: program.c:{{[0-9]+}} (early-completion){{ +}}400 {{.*}} % (

#include "../inputs/planned-loop.h"

#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(shared_loop, 1, 0)
PLANNED_LOOP(early_loop, 2, 0)

enum { ranks = 4, many = 10000, tag = 5 };

static int out[ranks], in[ranks], large[many], received[2][ranks][many];
static MPI_Request sends[3 * ranks], receives[2 * ranks];
static int send_count, receive_count;

static int value(int execution, int from, int round) { return 1000 * execution + 10 * from + round; }

/* To the next rank by MPI_Send, to others by MPI_Isend; the buffer is used again at once. */
static void send_large(int execution, int round) {
  const int rank = my_rank();
  sendwright_batch(early_loop);
  for (int step = 1; step < ranks; ++step) {
    const int peer = (rank + step) % ranks;
    for (int index = 0; index < many; ++index)
      large[index] = value(execution, rank, round) + index;
    MPI_Request request;
    if (step == 1)
      MPI_Send(large, many, MPI_INT, peer, tag, MPI_COMM_WORLD);
    else
      MPI_Isend(large, many, MPI_INT, peer, tag, MPI_COMM_WORLD, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void send_small(int execution) {
  const int rank = my_rank();
  send_count = 0;
  sendwright_batch(shared_loop);
  for (int peer = 0; peer < ranks; ++peer) {
    out[peer] = value(execution, rank, 7);
    if (peer != rank)
      MPI_Isend(&out[peer], 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &sends[send_count++]);
  }
}

static void receive_large(int round) {
  receive_count = 0;
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != my_rank())
      MPI_Irecv(received[round][peer], many, MPI_INT, peer, tag, MPI_COMM_WORLD, &receives[receive_count++]);
}

static void complete_large(int execution, int round) {
  MPI_Waitall(receive_count, receives, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < ranks; ++peer)
    for (int index = 0; index < many && peer != my_rank(); ++index)
      EXPECT(received[round][peer][index] == value(execution, peer, round) + index);
}

static void receive_small(int execution) {
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == my_rank())
      continue;
    MPI_Recv(&in[peer], 1, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(in[peer] == value(execution, peer, 7));
  }
  MPI_Waitall(send_count, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int late = strcmp(argv[1], "late") == 0, executions = atoi(argv[2]);
  for (int execution = 0; execution < executions; ++execution) {
    int own = execution, all = 0;
    for (int round = 0; round < 2; ++round) {
      if (!late)
        receive_large(round);
      send_large(execution, round);
      if (late)
        receive_large(round);
      complete_large(execution, round);
      if (round == 0) {
        send_small(execution);
        receive_small(execution);
      }
    }
    for (int time = 0; time < 2; ++time) {
      MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT(all == ranks * execution);
    }
  }
  MPI_Finalize();
}
