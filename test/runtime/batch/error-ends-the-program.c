// With the default error handler a wrong argument ends the program at the call that has it.
// Fails when the send is captured: the program says that it goes on.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t rank > %t.rank 2>&1; \
// RUN:   status=$?; test $status -ne 0 -a $status -ne 124
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t count > %t.count 2>&1; \
// RUN:   status=$?; test $status -ne 0 -a $status -ne 124
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t tag > %t.tag 2>&1; \
// RUN:   status=$?; test $status -ne 0 -a $status -ne 124
// RUN: cat %t.rank %t.count %t.tag > %t.all; ! grep 'goes on' %t.all

#include "../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0, wrong = argv[argc - 1][0];
  if (my_rank() == 0) {
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&value, wrong == 'c' ? -1 : 1, MPI_INT, wrong == 'r' ? 2 : 1, wrong == 't' ? -1 : 0,
             MPI_COMM_WORLD);
    puts("goes on");
    fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
