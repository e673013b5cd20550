// A plan for other numbers of ranks is not applied: one line says so, and the program's
// output and status are its own. Fails when the line is missing or repeated, or the loop is
// captured.
//
// RUN: printf 'ranks 8\nsite 1\norder * 1\nranks 24\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t > %t.out 2>&1; test $? = 3
// RUN: %FileCheck %s < %t.out
// CHECK-NOT: sendwright:
// CHECK: sendwright: the plan in program.c is for 8 and 24 ranks, but this run has 2: loops
// CHECK-SAME: run as written
// CHECK-NOT: sendwright:

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)
PLANNED_LOOP(another, 2, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    expect_log("send 1 ");
  } else {
    sendwright_batch(another);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 3;
}
