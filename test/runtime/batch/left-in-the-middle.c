// A loop that is left by break, return or goto issues what it captured there.
// Hangs when the scope stays open: the sends leave only with the next MPI call, and there is none
// before the pipe is read.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static void leave(int how) {
  {
    sendwright_batch(loop);
    for (int message = 0; message < 3; ++message) {
      MPI_Send(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      if (how == 0)
        break;
      if (how == 1)
        return;
      if (how == 2)
        goto out;
    }
  }
out:;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int how = 0; how < 3; ++how)
    if (my_rank() == 0) {
      clear_log();
      leave(how);
      expect_log("isend 1 ");
    } else {
      int value;
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Finalize();
}
