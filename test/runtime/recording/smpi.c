// Under SimGrid's SMPI, where all ranks are one process, each rank records its own calls.
//
// REQUIRES: smpicc
// RUN: smpicc -O1 %s -o %t -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: printf 'n0\nn1\nn2\n' > %t.hosts
// RUN: env SENDWRIGHT_PROFILE=%t.prof timeout 60 smpirun -np 3 -hostfile %t.hosts \
// RUN:   -platform %source_root/examples/platforms/fast-ethernet.xml --log=root.thres:critical %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// CHECK: ranks 3
// CHECK-NEXT: rank 0
// CHECK-NEXT: send 1 bytes=4 tag=7 site=program.c:1
// CHECK-NEXT: recv * bytes=4 tag=7 from=2
// CHECK-NEXT: rank 1
// CHECK-NEXT: recv * bytes=4 tag=7 from=0
// CHECK-NEXT: send 2 bytes=4 tag=7 site=program.c:1
// CHECK-NEXT: rank 2
// CHECK-NEXT: irecv * req=0 bytes=4 tag=7 from=1
// CHECK-NEXT: wait req=0
// CHECK-NEXT: send 0 bytes=4 tag=7 site=program.c:1

#include "../inputs/recorded.h"

#include <mpi.h>

static int rank, ranks, data;

static void pass_on(void) {
  MARK(first)
  MPI_Send(&data, 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
  END_MARK
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    pass_on();
  if (rank < 2) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank != 0)
    pass_on();
  MPI_Finalize();
  return 0;
}
