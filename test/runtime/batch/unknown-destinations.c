// Destinations that the plan does not know, and more messages to a known one than it has, go last,
// in the order of capture.
// Fails when they are dropped or sorted in: the log, or the receivers, differ.
//
// RUN: printf 'ranks 5\nsite 1\norder 0 3 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 5 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value;
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      for (int round = 0; round < 2; ++round)
        for (int peer = 1; peer < 5; ++peer) {
          value = 10 * round + peer;
          MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
        }
    }
    expect_log("isend 3 isend 2 isend 1 isend 4 isend 1 isend 2 isend 3 isend 4 ");
  } else {
    for (int round = 0; round < 2; ++round) {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(value == 10 * round + my_rank());
    }
  }
  MPI_Finalize();
}
