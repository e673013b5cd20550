// A persistent buffered send may be started again while its last message is still under way. Open MPI
// gives it another handle then; each start is recorded all the same, by MPI_Start and by MPI_Startall.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: ibsend 1 req=0 bytes=80000
// CHECK-NEXT: wait req=0
// CHECK-NEXT: ibsend 1 req=0 bytes=80000
// CHECK-NEXT: wait req=0
// CHECK-NEXT: ibsend 1 req=0 bytes=80000
// CHECK-NEXT: wait req=0
// CHECK-NEXT: collective barrier
// CHECK-NEXT: rank 1
// CHECK-NEXT: collective barrier
// CHECK-NEXT: recv 0 bytes=80000
// CHECK-NEXT: recv 0 bytes=80000
// CHECK-NEXT: recv 0 bytes=80000
// CHECK-NOT: {{.}}

#include "../inputs/recorded.h"

#include <mpi.h>

#include <stdlib.h>

enum { count = 20000 }; /* more than MPI sends before it is received */

int main(int argc, char **argv) {
  int rank;
  static int values[count];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int size = 3 * ((int)sizeof values + MPI_BSEND_OVERHEAD);
    void *attached = malloc(size);
    MPI_Request request;
    MPI_Buffer_attach(attached, size);
    MPI_Bsend_init(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int turn = 0; turn < 3; ++turn) {
      if (turn == 1)
        MPI_Startall(1, &request);
      else
        MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request_free(&request);
    MPI_Buffer_detach(&attached, &size);
    free(attached);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < 3; ++turn)
      MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
