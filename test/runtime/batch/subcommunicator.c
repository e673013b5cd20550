// Ranks of a communicator are translated to those of the plan.
// Fails when the communicator's own ranks are looked up.
//
// RUN: printf 'ranks 4\nsite 1\norder * 0 2 1 3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), value = rank, received;
  MPI_Comm turned; // world ranks 3 2 1 0
  MPI_Request requests[4];
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  clear_log();
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 4; ++peer)
      MPI_Isend(&value, 1, MPI_INT, peer, 0, turned, &requests[peer]);
  }
  expect_log("start 3 start 1 start 2 start 0 ");
  for (int peer = 0; peer < 4; ++peer) {
    MPI_Recv(&received, 1, MPI_INT, peer, 0, turned, MPI_STATUS_IGNORE);
    EXPECT(received == 3 - peer);
  }
  MPI_Comm_free(&turned); // the requests outlive it
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
