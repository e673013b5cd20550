// A nonblocking send is complete when it has a buffer: with enough buffers, every way to wait or
// test for it ends without the receiver, and the program may reuse its memory. With one buffer
// less, the wait names the send.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0,8 %mpirun 2 %t
// RUN: env SENDWRIGHT_BUFFERS=0,7 %mpirun 2 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: sendwright: deadlock with SENDWRIGHT_BUFFERS=0,7: these ranks wait for one another
// CHECK-NEXT: rank 0: MPI_Waitsome at nonblocking.c:[[#]] for MPI_Isend to rank 1, tag 7, at nonblocking.c:[[#]]: all 7 buffers of rank 1 are taken, by messages of rank 0
// CHECK-NEXT: rank 1: MPI_Barrier, at nonblocking.c:[[#]]: rank 0 has not called it

#include <mpi.h>

int main(int argc, char **argv) {
  enum { count = 8 };
  int rank, data[count], index, done = 0, some, indices[count];
  MPI_Request requests[count];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int tag = 0; tag < count; ++tag) {
      data[tag] = 100 + tag;
      MPI_Isend(&data[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[tag]);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    while (!done)
      MPI_Test(&requests[1], &done, MPI_STATUS_IGNORE);
    MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE);
    for (done = 0; !done;)
      MPI_Testall(1, &requests[4], &done, MPI_STATUSES_IGNORE);
    for (done = 0; !done;)
      MPI_Testany(1, &requests[5], &index, &done, MPI_STATUS_IGNORE);
    MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    for (some = 0; some == 0 && index == 6;)
      MPI_Waitsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
    if (index == 7)
      MPI_Waitsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
    for (int tag = 0; tag < count; ++tag) {
      data[tag] = -1;
      if (requests[tag] != MPI_REQUEST_NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int tag = 0; rank == 1 && tag < count; ++tag) {
    MPI_Recv(data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[0] != 100 + tag)
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
