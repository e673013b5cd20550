// Reports number ranks as in MPI_COMM_WORLD; a buffer serves all communicators. Messages on a
// communicator that is freed before they are received, on an intercommunicator, and to the rank
// itself. Collectives in between end while messages wait for their buffers.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=2 %mpirun 4 %t
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 4 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 4 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck --check-prefix=SELF %s < %t.out
// CHECK: rank 0: MPI_Send to rank 2, tag 1, at subcommunicators.c:[[#LINE:]]: rank 2 has no buffers
// CHECK-NEXT: rank 2: MPI_Send to rank 0, tag 1, at subcommunicators.c:[[#LINE]]: rank 0 has no buffers
// SELF: sendwright: deadlock with SENDWRIGHT_BUFFERS=1: a rank waits for itself
// SELF-NEXT: rank 0: MPI_Send to rank 0, tag 4, at subcommunicators.c:[[#]]: all 1 buffers of rank 0 are taken, by messages of rank 0

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, received = -1, sum, errors = 0;
  MPI_Comm half, inter, again;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half); // 0 and 2; 1 and 3
  int peer = rank / 2 == 0;
  if (rank % 2 == 0)
    MPI_Send(&rank, 1, MPI_INT, peer, 1, half);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  errors += sum != (rank % 2 ? 4 : 2);
  if (rank % 2 == 0)
    MPI_Recv(&received, 1, MPI_INT, peer, 1, half, MPI_STATUS_IGNORE);

  MPI_Comm_dup(half, &again);
  MPI_Irecv(&received, 1, MPI_INT, peer, 2, again, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, peer, 2, again, &requests[1]);
  MPI_Comm_free(&again);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  errors += received != (rank + 2) % 4;

  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
  MPI_Send(&rank, 1, MPI_INT, rank / 2, 3, inter);
  MPI_Barrier(inter);
  MPI_Recv(&received, 1, MPI_INT, rank / 2, 3, inter, MPI_STATUS_IGNORE);
  errors += received != (rank ^ 1);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);

  if (rank == 0) { // the second one needs a second buffer
    MPI_Send(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Send(&rank, 0, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Recv(&received, 1, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Recv(&received, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    errors += received != 0;
  }
  MPI_Finalize();
  return errors;
}
