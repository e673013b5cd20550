// Messages that nobody receives, requests that are cancelled or freed, and sends to nobody do not
// keep the program from ending.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=9 %mpirun 2 %t
//
// Buffers are limited here: without any, both ranks wait in their first send.
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 2 %t > %t.out 2>&1; test $? = 86

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  MPI_Isend(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
