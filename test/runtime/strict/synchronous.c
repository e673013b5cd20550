// A synchronous send takes no buffer, and finds none: two that meet head-on are a deadlock with any
// number of buffers. A buffered send uses what the program attached.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 2 %t
// RUN: env SENDWRIGHT_BUFFERS=9 %mpirun 2 %t head-on > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: rank 0: MPI_Ssend to rank 1, tag 2, at synchronous.c:[[#]]: rank 1 does not receive it
// CHECK-NEXT: rank 1: MPI_Wait at synchronous.c:[[#]] for MPI_Issend to rank 0, tag 2, at synchronous.c:[[#]]: rank 0 does not receive it

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, received = -1, size;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = 1 - rank, room = 3 * (sizeof rank + MPI_BSEND_OVERHEAD), errors = 0;
  void *buffer = malloc(room);
  MPI_Buffer_attach(buffer, room);
  for (int turn = 0; turn < 2; ++turn) {
    MPI_Bsend(&rank, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Ibsend(&rank, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int message = 0; message < 2; ++message) {
      MPI_Recv(&received, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      errors += received != peer;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Buffer_detach(&buffer, &size);
  errors += size != room;
  free(buffer);

  if (argc > 1 && rank == 0)
    MPI_Ssend(&rank, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
  if (argc > 1 && rank == 1) {
    MPI_Issend(&rank, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return errors;
}
