// Beyond the limit for copies, held sends leave and the send runs as written. Fails when the limit
// is not kept: the log then has four isends in plan order.
//
// RUN: printf 'ranks 5\nsite 1\norder 0 4 3 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_COPY_LIMIT=1000 %mpirun 5 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int values[100];
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      for (int peer = 1; peer < 5; ++peer) {
        values[99] = peer;
        MPI_Send(values, 100, MPI_INT, peer, 0, MPI_COMM_WORLD);
      }
    }
    expect_log("isend 2 isend 1 send 3 isend 4 ");
  } else {
    MPI_Recv(values, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(values[99] == my_rank());
  }
  MPI_Finalize();
}
