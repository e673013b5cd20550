// Every way to send one message is recorded: mode, destination, tag, bytes, request and site.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: collective barrier
// CHECK-NEXT: send 1 bytes=16 tag=1 site=program.c:1
// CHECK-NEXT: bsend 1 bytes=12 tag=2 site=program.c:1
// CHECK-NEXT: ssend 1 bytes=8 tag=3 site=program.c:1
// CHECK-NEXT: rsend 1 bytes=4 tag=4 site=program.c:1
// CHECK-NEXT: isend 1 req=0 bytes=16 tag=5 site=program.c:1
// CHECK-NEXT: ibsend 1 req=1 bytes=12 tag=6 site=program.c:1
// CHECK-NEXT: issend 1 req=2 bytes=8 tag=7 site=program.c:1
// CHECK-NEXT: irsend 1 req=3 tag=8 site=program.c:1
// CHECK-NEXT: wait req=0,1,2,3 site=program.c:1
// CHECK-NEXT: rank 1
// CHECK-NEXT: irecv 0 req=0 bytes=16 tag=4
// CHECK-NEXT: irecv 0 req=1 tag=8
// CHECK-NEXT: collective barrier
// CHECK-NEXT: recv 0 bytes=16 tag=1

#include "../inputs/recorded.h"

#include <mpi.h>

static char attached[4096];

static void send_all(int *data) {
  MPI_Request requests[4];
  MARK(first)
  MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Bsend(data, 3, MPI_INT, 1, 2, MPI_COMM_WORLD);
  MPI_Ssend(data, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
  MPI_Rsend(data, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  MPI_Isend(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibsend(data, 3, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[1]);
  MPI_Issend(data, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[2]);
  MPI_Irsend(data, 0, MPI_INT, 1, 8, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  END_MARK
}

int main(int argc, char **argv) {
  int rank, size, data[4] = {0};
  void *buffer;
  MPI_Request ready[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Buffer_attach(attached, sizeof attached);
    MPI_Barrier(MPI_COMM_WORLD);
    send_all(data);
    MPI_Buffer_detach(&buffer, &size);
  } else {
    MPI_Irecv(data, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &ready[0]);
    MPI_Irecv(data, 0, MPI_INT, 0, 8, MPI_COMM_WORLD, &ready[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int tag = 1; tag < 8; ++tag)
      if (tag != 4)
        MPI_Recv(data, 4, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, ready, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
