// A message that meets a posted receive, or is part of a pairwise exchange, needs no buffer: no
// buffer at all is enough.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 3 %t

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, sent, received = -1, both;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + 1) % size, from = (rank + size - 1) % size, errors = 0;

  sent = rank;
  MPI_Irecv(&received, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &request);
  MPI_Send(&sent, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  errors += received != from || status.MPI_SOURCE != from;

  MPI_Recv_init(&received, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &request);
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Start(&request);
    sent = 10 * rank + turn;
    MPI_Ssend(&sent, 1, MPI_INT, to, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    errors += received != 10 * from + turn;
  }
  MPI_Request_free(&request);

  MPI_Sendrecv(&rank, 1, MPI_INT, to, 3, &received, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &status);
  errors += received != from || status.MPI_TAG != 3;
  both = rank;
  MPI_Sendrecv_replace(&both, 1, MPI_INT, to, 4, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &status);
  errors += both != from || status.MPI_SOURCE != from;
  both = rank;
  MPI_Sendrecv_replace(&both, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_PROC_NULL, 4, MPI_COMM_WORLD,
                       &status);
  errors += both != rank || status.MPI_SOURCE != MPI_PROC_NULL;
  MPI_Finalize();
  return errors;
}
