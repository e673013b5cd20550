// A receive with a wildcard records which message it took, even if the program wants no status: a
// blocking receive at once, a nonblocking one when it completes, by any call. The statuses that the
// program asks for are its own.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 3 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: send 1
// CHECK-NEXT: recv * bytes=8 tag=* from=1
// CHECK-NEXT: send 2
// CHECK-NEXT: recv * bytes=8 tag=5 from=2
// CHECK-NEXT: send 1
// CHECK-NEXT: irecv * req=0 bytes=8 tag=* from=1
// CHECK-NEXT: wait req=0
// CHECK-NEXT: send 1
// CHECK-NEXT: send 2
// CHECK-NEXT: irecv * req=0 bytes=8 from=2
// CHECK-NEXT: irecv 1 req=1 bytes=8 tag=*
// CHECK-NEXT: wait req=0,1
// CHECK-NEXT: send 2
// CHECK-NEXT: irecv * req=0 bytes=8 from=2
// CHECK-NEXT: wait req=0
// CHECK-NEXT: send 2
// CHECK-NEXT: irecv * req=0 bytes=8 tag=* from=2
// CHECK-NEXT: wait req=0
// CHECK-NEXT: irecv * req=2 bytes=8 from=1
// CHECK-NEXT: send 1
// CHECK-NEXT: wait req=2
// CHECK-NEXT: rank 1

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdlib.h>

// Rank 0 lets one rank at a time send, so that what matches is known.
static void next(int rank) { MPI_Send(NULL, 0, MPI_INT, rank, 0, MPI_COMM_WORLD); }
static void turn(int tag) {
  int data[1] = {0};
  MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

static void receive_blocking(int *data) {
  MPI_Status status;
  next(1);
  MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  next(2);
  MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
  if (status.MPI_SOURCE != 2)
    abort();
}

static void receive_nonblocking(int *data) {
  int flag = 0, index;
  MPI_Request requests[2];
  MPI_Status status;
  next(1);
  MPI_Irecv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  next(1);
  next(2);
  MPI_Irecv(data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(data + 2, 2, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  next(2);
  MPI_Irecv(data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
  while (!flag)
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  next(2);
  MPI_Irecv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(1, requests, &index, &status);
  if (index != 0 || status.MPI_SOURCE != 2 || status.MPI_TAG != 9)
    abort();
}

int main(int argc, char **argv) {
  static const int tags[3][4] = {{0}, {3, 7, 8, 0}, {5, 0, 0, 9}};
  int rank, data[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    receive_blocking(data);
    receive_nonblocking(data);
    MPI_Sendrecv(NULL, 0, MPI_INT, 1, 0, data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < 4; ++i)
      turn(tags[rank][i]);
  }
  MPI_Finalize();
  return 0;
}
