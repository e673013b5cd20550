// Where nothing in the loop overwrites its buffers, blocking sends are issued from them without a
// copy, even beyond the limit for copies. Fails when they are copied: another address reaches
// MPI.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_COPY_LIMIT=100 %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[3][30000];
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      for (int peer = 1; peer < 3; ++peer) {
        values[peer][29999] = peer;
        MPI_Send(values[peer], 30000, MPI_INT, peer, 0, MPI_COMM_WORLD);
      }
    }
    expect_log("isend 2 isend 1 ");
    EXPECT(issued_buffer == values[1]);
  } else {
    MPI_Recv(values[0], 30000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(values[0][29999] == my_rank());
  }
  MPI_Finalize();
}
