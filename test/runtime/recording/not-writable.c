// Where the profile cannot be written one line says so, and the program's exit status is its own.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.none/profile %mpirun 3 %t 2>&1 | %FileCheck %s
// RUN: env SENDWRIGHT_PROFILE=%t.none/profile %mpirun 3 %t

// CHECK: {{^}}sendwright: {{.*}}.none/profile: {{.*}}no profile is written
// CHECK-NOT: sendwright:

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
