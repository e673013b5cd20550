// Each start of a persistent send is a separate message, which may have a buffer while the next
// start is made; also after its datatype, or its communicator, is freed.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=4 %mpirun 2 %t
// RUN: env SENDWRIGHT_BUFFERS=2 %mpirun 2 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: rank 0: MPI_Wait at persistent.c:[[#]] for MPI_Start to rank 1, tag 6, at persistent.c:[[#]]: all 2 buffers of rank 1 are taken

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[3] = {0}, received, errors = 0;
  MPI_Request requests[2];
  MPI_Comm copy;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair); // data[0] and data[2]
    MPI_Type_commit(&pair);
    MPI_Send_init(data, 1, pair, 1, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Type_free(&pair);
    for (int turn = 0; turn < 4; ++turn) {
      data[0] = turn, data[2] = 10 * turn;
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[0]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; rank == 1 && turn < 4; ++turn) {
    MPI_Recv(data, 2, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    errors += data[0] != turn || data[1] != 10 * turn;
  }

  MPI_Send_init(&rank, 1, MPI_INT, 1 - rank, 7, copy, &requests[0]);
  MPI_Recv_init(&received, 1, MPI_INT, 1 - rank, 7, copy, &requests[1]);
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == 1)
      MPI_Comm_free(&copy);
    received = -1;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    errors += received != 1 - rank;
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return errors;
}
