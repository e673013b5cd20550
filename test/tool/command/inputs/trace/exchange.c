// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocking and non-blocking messages, wildcards, collectives and a second communicator.
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  int place;
  MPI_Comm_rank(reversed, &place);
  double sent[16] = {0}, received[64] = {0};
  for (int step = 0; step < 5; ++step) {
    MPI_Request requests[2];
    MPI_Irecv(received, 16, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 16, MPI_DOUBLE, (rank + 1) % ranks, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(sent, 4, MPI_DOUBLE, (place + 1) % ranks, 1, received, 4, MPI_DOUBLE,
                 (place + ranks - 1) % ranks, 1, reversed, MPI_STATUS_IGNORE);
    MPI_Allreduce(sent, received, 2, MPI_DOUBLE, MPI_SUM, reversed);
  }
  if (rank == 0)
    for (int other = 1; other < ranks; ++other)
      MPI_Recv(received, 1, MPI_DOUBLE, other, other, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(sent, 1, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  return 0;
}
