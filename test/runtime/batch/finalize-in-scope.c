// MPI_Finalize inside a scope issues what is held; the scope's end then does nothing. Fails when
// nothing is issued: rank 1 waits forever. Also fails when nothing is captured: a captured message
// of a loop with stable buffers has the contents that its buffer has at issue.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)

int main(int argc, char **argv) {
  int value = 1;
  {
    sendwright_batch(loop); // before MPI_Init: does nothing
  }
  {
    MPI_Init(&argc, &argv);
    sendwright_batch(loop);
    if (my_rank() == 0) {
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      value = 2;
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
  }
  sendwright_batch(loop);
  return value == 2 ? 0 : 1;
}
