// A site that the plan does not know (its loop was edited after profiling) runs as written; the
// program's other sites are reordered.
// Fails when the sites are matched by position.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(edited, 5, 0)
PLANNED_LOOP(kept, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  if (my_rank() == 0) {
    {
      sendwright_batch(edited);
      for (int peer = 1; peer < 3; ++peer)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    {
      sendwright_batch(kept);
      for (int peer = 1; peer < 3; ++peer)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    expect_log("send 1 send 2 isend 2 isend 1 ");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
