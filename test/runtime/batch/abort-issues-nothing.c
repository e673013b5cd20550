// MPI_Abort in a loop ends the program without sending captured messages. Fails when it flushes:
// the log is not empty at the end.
//
// RUN: printf 'ranks 1\nsite 1\norder * 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 1 %t > %t.out 2>&1; \
// RUN:   status=$?; test $status -ne 0 -a $status -ne 124
// RUN: %FileCheck %s < %t.out
// CHECK: issued ''

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"

#include <dlfcn.h>
#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

int PMPI_Abort(MPI_Comm communicator, int code) {
  int (*next)(MPI_Comm, int) = (int (*)(MPI_Comm, int))dlsym(RTLD_NEXT, "PMPI_Abort");
  printf("issued '%s'\n", issue_log);
  fflush(stdout);
  return next(communicator, code);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  sendwright_batch(loop);
  MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Abort(MPI_COMM_WORLD, 7);
}
