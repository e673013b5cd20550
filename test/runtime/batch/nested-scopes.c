// The end of an inner scope issues everything that is held; the outer scope goes on capturing.
// Fails when the inner scope's end does nothing: rank 1 never answers.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1\nsite 2\norder * 1 3 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(outer, 1, 0)
PLANNED_LOOP(inner, 2, 0)

static void send_to_all(void) {
  sendwright_batch(inner);
  for (int peer = 1; peer < 4; ++peer)
    MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value;
  if (my_rank() == 0) {
    {
      sendwright_batch(outer);
      MPI_Send(&argc, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      send_to_all();
      expect_log("isend 1 isend 1 isend 3 isend 2 ");
      clear_log();
      for (int peer = 1; peer < 4; ++peer)
        MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
      expect_log("");
    }
    expect_log("isend 3 isend 2 isend 1 ");
  } else {
    for (int message = my_rank() == 1 ? 0 : 1; message < 3; ++message)
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
