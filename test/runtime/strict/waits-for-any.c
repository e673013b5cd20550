// A wait for any of several requests can end as long as one of them can: it is a deadlock only when
// none can. A rank with a slow peer is not reported, nor are ranks that wait for it.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 3 %t > %t.out 2>&1
// RUN: test ! -s %t.out
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 3 %t never > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: rank 0: MPI_Waitany at waits-for-any.c:[[#]] for MPI_Irecv from rank 1, tag 1, at waits-for-any.c:[[#]]: rank 1 does not send it; or MPI_Irecv from rank 2, tag 2, at waits-for-any.c:[[#]]: rank 2 does not send it
// CHECK-NEXT: rank 1: MPI_Probe from rank 0, tag 3, at waits-for-any.c:[[#]]: rank 0 does not send it
// CHECK-NEXT: rank 2: MPI_Mprobe from rank 0, any tag, at waits-for-any.c:[[#]]: rank 0 does not send it

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, value = 0, index;
  MPI_Request requests[2];
  MPI_Message message;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    for (int peer = 1; peer < 3; ++peer)
      MPI_Send(&value, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
    MPI_Wait(&requests[1 - index], MPI_STATUS_IGNORE);
  } else {
    if (rank == 2 && argc == 1) {
      usleep(3000000);
      MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    if (rank == 1)
      MPI_Probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
