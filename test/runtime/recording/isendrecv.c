// MPI_Isendrecv and MPI_Isendrecv_replace are recorded as a send and a receive that one call completes.
// Fails when profiles do not have their messages.
//
// UNSUPPORTED: openmpi
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines
// RUN: %sendwright analyze epochs %t.prof

// CHECK: rank 0
// CHECK-NEXT: isend 1 req=0 bytes=8 tag=3
// CHECK-NEXT: irecv 1 req=1 bytes=4 tag=4
// CHECK-NEXT: wait req=0,1
// CHECK-NEXT: isend 1 req=0 bytes=4 tag=5
// CHECK-NEXT: irecv 1 req=1 bytes=4 tag=5
// CHECK-NEXT: isend 1 req=2 bytes=4 tag=6
// CHECK-NEXT: wait req=0,1,2
// CHECK-NEXT: collective barrier
// CHECK-NEXT: rank 1

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, out[2] = {1, 2}, in = 0;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isendrecv(out, 2, MPI_INT, 1, 3, &in, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(&in, 1, MPI_INT, 1, 5, 1, 5, MPI_COMM_WORLD, requests);
    MPI_Isend(out, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Sendrecv(out, 1, MPI_INT, 0, 4, out, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 1, MPI_INT, 0, 5, &in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
