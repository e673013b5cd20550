// Persistent requests are recorded each time they are started, as the call of the same mode, and
// completed like it. Between a completion and the next start they have no number.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: isend 1 req=0 bytes=8 tag=4
// CHECK-NEXT: wait req=0
// CHECK-NEXT: issend 1 req=0 bytes=4 tag=4
// CHECK-NEXT: wait req=0
// CHECK-NEXT: isend 1 req=0 bytes=8 tag=4
// CHECK-NEXT: issend 1 req=1 bytes=4 tag=4
// CHECK-NEXT: wait req=0,1
// CHECK-NEXT: rank 1
// CHECK-NEXT: irecv * req=0 bytes=8 tag=4 from=0
// CHECK-NEXT: wait req=0
// CHECK-NEXT: irecv * req=0 bytes=8 tag=4 from=0
// CHECK-NEXT: wait req=0
// CHECK-NEXT: irecv * req=0 bytes=8 tag=4 from=0
// CHECK-NEXT: wait req=0
// CHECK-NEXT: irecv * req=0 bytes=8 tag=4 from=0
// CHECK-NEXT: wait req=0
// CHECK-NOT: {{.}}

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[2] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send_init(data, 2, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(data, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; ++i) {
      MPI_Start(&requests[i]);
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  } else {
    MPI_Recv_init(data, 2, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[0]);
    for (int i = 0; i < 4; ++i) {
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[0]);
  }
  MPI_Finalize();
  return 0;
}
