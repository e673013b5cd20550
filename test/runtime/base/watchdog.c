// A wait inside the runtime that takes long says who waits for whom, where, and goes on: a slow
// peer is no deadlock. It ends the program only on request. Fails without the line; or, the second
// time, runs into the time limit.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=1 %mpirun 3 %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=1,abort %mpirun 3 %t x > %t.end 2>&1; \
// RUN:   test $? = 1
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=soon %mpirun 3 %t > %t.out 2>&1
// RUN: %FileCheck --check-prefix=FORM %s < %t.out
// CHECK: sendwright: rank 0 has waited 1 s at program.c:1 for rank 2 (tag 5) to receive
// CHECK-NOT: sendwright: rank
// FORM: sendwright: SENDWRIGHT_WATCHDOG=soon is ignored, expected SECONDS, abort or SECONDS,abort

#include "../inputs/planned-loop.h"

#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 100000 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  static int values[count];
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int peer = 1; peer < 3; ++peer)
      MPI_Send(values, count, MPI_INT, peer, 5, MPI_COMM_WORLD);
  } else {
    while (my_rank() == 2 && argc > 1)
      usleep(1000);
    if (my_rank() == 2)
      usleep(2500000);
    MPI_Recv(values, count, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  while (argc > 1) // mpirun may crash or hang if a rank aborts while another is in MPI_Finalize
    usleep(1000);
  MPI_Finalize();
}
