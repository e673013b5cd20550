// A damaged plan, truncated or with bytes flipped, is not applied: rank 0 says so in one line, and
// the program's output and status are its own. Fails when the program crashes, ends otherwise, or
// says nothing.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: head -c 20 %t.plan > %t.truncated
// RUN: env TEST_PLAN=%t.truncated %mpirun 2 %t > %t.out 2>&1; test $? = 3
// RUN: %FileCheck %s < %t.out
// RUN: cp %t.plan %t.flipped; printf '\125\252' | dd of=%t.flipped bs=1 seek=40 conv=notrunc
// RUN: env TEST_PLAN=%t.flipped %mpirun 2 %t > %t.out 2>&1; test $? = 3
// RUN: %FileCheck %s < %t.out
// CHECK-NOT: sendwright:
// CHECK: sendwright: the plan in program.c: {{.*}}: loops run as written
// CHECK-NOT: sendwright:

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    expect_log("send 1 ");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 3;
}
