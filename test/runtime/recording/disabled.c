// SENDWRIGHT_DISABLE=1 records nothing; 0 and the empty string mean that it is not set.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: rm -f %t.prof && env SENDWRIGHT_DISABLE=1 SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: test ! -e %t.prof
// RUN: env SENDWRIGHT_DISABLE=0 SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: test -s %t.prof && rm %t.prof
// RUN: env SENDWRIGHT_DISABLE= SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: test -s %t.prof

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
