// Sends on an intercommunicator are not captured; what is held leaves before them.
// Fails when they are: the log shows starts, at places that belong to other ranks.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), value = rank;
  MPI_Comm half, between;
  MPI_Request requests[2];
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &between);
  clear_log();
  {
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, rank % 2, 1, half);
    for (int peer = 0; peer < 2; ++peer)
      MPI_Isend(&value, 1, MPI_INT, peer, 0, between, &requests[peer]);
  }
  if (rank == 0)
    expect_log("isend 0 isend 0 isend 1 ");
  int received;
  MPI_Recv(&received, 1, MPI_INT, rank % 2, 1, half, MPI_STATUS_IGNORE);
  EXPECT(received == rank);
  for (int peer = 0; peer < 2; ++peer) {
    MPI_Recv(&received, 1, MPI_INT, peer, 0, between, MPI_STATUS_IGNORE);
    EXPECT(received == (rank < 2 ? 2 : 0) + peer);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Finalize();
}
