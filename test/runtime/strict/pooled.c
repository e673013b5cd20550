// Buffers belong to the receiver, whoever sends: of three senders to a rank that does not receive,
// two find a buffer and the third waits, here forever. A receiver that does receive serves it, in
// the order of the messages.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=2 %mpirun 4 %t
// RUN: env SENDWRIGHT_BUFFERS=2 %mpirun 4 %t never > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=3,0,0,0 %mpirun 4 %t never
// CHECK: sendwright: deadlock with SENDWRIGHT_BUFFERS=2: these ranks wait for one another
// CHECK-NEXT: sendwright:   rank 0: MPI_Barrier, at pooled.c:[[#]]: rank {{[1-3]}} has not called it
// CHECK-NEXT: sendwright:   rank [[SENDER:[1-3]]]: MPI_Send to rank 0, tag 1, at pooled.c:[[#]]: all 2 buffers of rank 0 are taken, by messages of ranks {{[1-3] and [1-3]}}
// CHECK-NEXT: sendwright: for them wait ranks {{[1-3], [1-3]$}}

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0)
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  else
    usleep(300000);
  if (argc > 1)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int message = 1; rank == 0 && message < 4; ++message) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, message, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (value != message)
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
