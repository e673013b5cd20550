// Two ranks that send to one another before they receive need a buffer each: with one the program
// ends; with none it is stopped with the cycle, the lines of the calls, and exit status 86.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 2 %t
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 2 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=1,0 %mpirun 2 %t
// CHECK: sendwright: deadlock with SENDWRIGHT_BUFFERS=0: these ranks wait for one another
// CHECK-NEXT: sendwright:   rank 0: MPI_Send to rank 1, tag 7, at head-on.c:[[#LINE:]]: rank 1 has no buffers and does not receive it
// CHECK-NEXT: sendwright:   rank 1: MPI_Send to rank 0, tag 7, at head-on.c:[[#LINE]]: rank 0 has no buffers and does not receive it

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, sent = 5, received = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(&sent, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
  sent = 0; // the message is gone, wherever it is
  MPI_Recv(&received, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return received != 5;
}
