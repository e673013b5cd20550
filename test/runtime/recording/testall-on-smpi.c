// SMPI's MPI_Testall completes some requests, and sets them to null, although it says that not all are
// complete. The profile has these requests as completed by this call: their numbers become free, and no
// later request with the same handle is taken for them. Fails when such a request stays open.
//
// REQUIRES: smpicc
// RUN: smpicc -O1 %s -o %t -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: printf 'n0\nn1\n' > %t.hosts
// RUN: env SENDWRIGHT_PROFILE=%t.prof timeout 60 smpirun -np 2 -hostfile %t.hosts \
// RUN:   -platform %source_root/examples/platforms/fast-ethernet.xml --log=root.thres:critical %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: rank 0
// CHECK-NEXT: irecv 1 req=0 bytes=4 tag=1
// CHECK-NEXT: irecv 1 req=1 bytes=4 tag=2
// CHECK-NEXT: wait req=0
// CHECK-NEXT: irecv 1 req=0 bytes=4 tag=3
// CHECK-NEXT: wait req=1
// CHECK-NEXT: wait req=0
// CHECK-NEXT: rank 1

#include "../inputs/recorded.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, data[3] = {0}, all = 0;
  MPI_Request requests[2], another;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(&data[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&data[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
    usleep(500000);
    MPI_Testall(2, requests, &all, MPI_STATUSES_IGNORE);
    if (all || requests[0] != MPI_REQUEST_NULL)
      return 1;
    MPI_Irecv(&data[2], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &another);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&another, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&data[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    usleep(1000000);
    MPI_Send(&data[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Send(&data[2], 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
