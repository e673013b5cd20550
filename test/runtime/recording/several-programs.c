// In a job of several programs nothing is recorded, and one line says so: the end would wait for
// programs that do not take part. Not all launchers tell a program that there is another, which
// must then also be instrumented.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: %mpicc %s -o %t.same %runtime
// RUN: %mpicc -DALONE %s -o %t.alone
// RUN: rm -f %t.prof
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t : -np 2 %t.same 2>&1 | %FileCheck %s
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t : -np 2 %t%other_program 2>&1 | %FileCheck %s
// RUN: test ! -e %t.prof

// CHECK: {{^}}sendwright: the job consists of several programs: no profile is recorded
// CHECK-NOT: sendwright:

#ifndef ALONE
#include "../inputs/recorded.h"
#endif

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
