// Where another library's MPI_Send comes first at run time, calls would bypass an open batch:
// nothing is captured, one line says so, and the program's results are its own.
//
// RUN: printf 'ranks 2\nsite 1\norder 0 1\n' | %write_plan %t.plan
// RUN: %mpicc -shared -fPIC %S/../inputs/counting-library.c -o %t.so
// RUN: %mpicc %s %planned_loop -o %t %t.so %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t 2>&1 | %FileCheck %s

// CHECK: {{^}}sendwright: MPI_Send comes from {{.*}}.so, not from Sendwright
// CHECK-NOT: sendwright:
// CHECK: received 7

#include "../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 7;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    expect_log("send 1 "); // at once
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received %d\n", value);
  }
  MPI_Finalize();
  return 0;
}
