// Large blocking sends whose receivers are ready in the order of the loop, but not of the plan:
// rank 2 receives only after rank 1. All sends leave before any is waited for. Hangs when blocking
// sends are completed one after another in the plan's order.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { count = 100000 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[count];
  int token = 0;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int peer = 1; peer < 3; ++peer)
      MPI_Send(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
  } else if (my_rank() == 1) {
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
