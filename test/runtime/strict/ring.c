// A ring in which every rank sends before it receives: one buffer each is enough; one missing
// anywhere is not, unless another rank's buffer breaks the cycle. The report names all ranks of the
// ring, and no others.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 5 %t
// RUN: env SENDWRIGHT_BUFFERS=0,0,1,0,0 %mpirun 5 %t
// RUN: env SENDWRIGHT_BUFFERS=0,0,0,0,9 %mpirun 5 %t > %t.out 2>&1; test $? = 86
// RUN: grep -c "sendwright:   rank" %t.out | grep -x 4
// RUN: %FileCheck %s < %t.out
// CHECK: sendwright: deadlock with SENDWRIGHT_BUFFERS=0,0,0,0,9
// CHECK-NEXT: rank 0: MPI_Send to rank 1, tag 3, at ring.c:[[#LINE:]]: rank 1 has no buffers
// CHECK-NEXT: rank 1: MPI_Send to rank 2, tag 3, at ring.c:[[#LINE]]:
// CHECK-NEXT: rank 2: MPI_Send to rank 3, tag 3, at ring.c:[[#LINE]]:
// CHECK-NEXT: rank 3: MPI_Send to rank 0, tag 3, at ring.c:[[#LINE]]:
// CHECK-NEXT: sendwright: for them waits rank 4{{$}}

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, received = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int size = 4; // rank 4 has no part in it
  if (rank < size) {
    int from = (rank + size - 1) % size;
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Recv(&received, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (received != from)
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
