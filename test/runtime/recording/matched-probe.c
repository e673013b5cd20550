// A probe that matches a message and the receive of the message are recorded: the receive as it was
// requested, with the source that matched.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: recv * bytes=8 tag=* from=1
// CHECK-NEXT: irecv * req=0 bytes=8 tag=2 from=1
// CHECK-NEXT: wait req=0
// CHECK-NEXT: recv 1 bytes=4 tag=3
// CHECK-NEXT: rank 1

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[2] = {0}, flag = 0;
  MPI_Message message;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(data, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
    while (!flag)
      MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(data, 2, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int tag = 1; tag <= 3; ++tag)
      MPI_Send(data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
