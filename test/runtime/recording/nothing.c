// A run in which no call was recorded says so.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t barrier >%t.out 2>&1
// RUN: ! grep sendwright: %t.out
// CHECK: sendwright: no call was recorded: {{.*}}.prof does not show how the program communicates

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
