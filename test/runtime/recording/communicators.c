// Ranks of sub-communicators, split in reverse order, appear as world ranks. All ranks
// distinguish two live communicators of the same members in the same way, whichever they use
// first.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 4 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s

// CHECK: rank 0
// CHECK-NEXT: collective comm_split
// CHECK-NEXT: collective comm_dup
// CHECK-NEXT: collective comm_dup
// CHECK-NEXT: send 2 bytes=4 tag=1 comm=[[HALF:[0-9]+]]
// CHECK-NEXT: recv 2 bytes=4 tag=2 comm=2
// CHECK-NEXT: send 2 bytes=4 tag=2 comm=1
// CHECK: rank 2
// CHECK: recv 0 bytes=4 tag=1 comm=[[HALF]]
// CHECK-NEXT: send 0 bytes=4 tag=2 comm=2
// CHECK-NEXT: recv 0 bytes=4 tag=2 comm=1

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data = 0;
  MPI_Comm half, one, two;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  if (rank == 0) {
    MPI_Send(&data, 1, MPI_INT, 0, 1, half); // world rank 2
    MPI_Recv(&data, 1, MPI_INT, 2, 2, two, MPI_STATUS_IGNORE);
    MPI_Send(&data, 1, MPI_INT, 2, 2, one);
  } else if (rank == 2) {
    MPI_Recv(&data, 1, MPI_INT, 1, 1, half, MPI_STATUS_IGNORE); // world rank 0
    MPI_Send(&data, 1, MPI_INT, 0, 2, two);
    MPI_Recv(&data, 1, MPI_INT, 0, 2, one, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
