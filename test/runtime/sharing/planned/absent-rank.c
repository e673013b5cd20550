// The watchdog of ranks that wait for messages names a rank that never enters the exchange, with
// the loop, the instance and the stage. It can end the program. Fails when a wait for a shared
// message is silent.
//
// RUN: printf 'ranks 3\nsite 1\nexchange direct\nmessages 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=1 MPIRUN_LIMIT=6 %mpirun 3 %t >%t.out 2>&1 || \
// RUN:   true
// RUN: %FileCheck %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=1,abort MPIRUN_LIMIT=20 %mpirun 3 %t >%t.end \
// RUN:   2>&1; test $? = 1
// CHECK: sendwright: rank 0 has waited 1 s in MPI_Recv for a message of rank 1 (tag 5); instance 1
// CHECK-SAME: of the exchange at program.c:1 waits for combined messages from rank 1 (stage 1),
// CHECK-SAME: rank 2 (stage 1)

#include "../../inputs/planned-loop.h"

#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

static void exchange(void) {
  int rank = my_rank(), value = rank;
  MPI_Request requests[3];
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 3; ++peer)
      MPI_Isend(&rank, 1, MPI_INT, peer == rank ? MPI_PROC_NULL : peer, 5, MPI_COMM_WORLD,
                &requests[peer]);
  }
  for (int peer = 0; peer < 3; ++peer)
    if (peer != rank && rank != 2)
      MPI_Recv(&value, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  exchange();
  if (my_rank() == 0)
    exchange();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
