// The loop sends on a communicator of its own and frees it: freeing flushes, and the handle may
// come back as another communicator. Fails without the flush, or when what is known about the freed
// communicator is kept.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), value;
  {
    sendwright_batch(loop);
    for (int round = 0; round < 4; ++round) {
      MPI_Comm turned;
      MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 ? rank : -rank, &turned);
      clear_log();
      for (int peer = 0; peer < 3; ++peer) {
        value = 100 * round + rank;
        MPI_Send(&value, 1, MPI_INT, peer, 0, turned);
      }
      for (int peer = 0; peer < 3; ++peer) {
        MPI_Recv(&value, 1, MPI_INT, peer, 0, turned, MPI_STATUS_IGNORE);
        EXPECT(value == 100 * round + (round % 2 ? peer : 2 - peer));
      }
      expect_log(round % 2 ? "isend 2 isend 1 isend 0 " : "isend 0 isend 1 isend 2 ");
      MPI_Comm_free(&turned);
    }
  }
  MPI_Finalize();
}
