// Sends to MPI_PROC_NULL run as written and hold nothing up.
// Fails when they flush: the log then starts with rank 1.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

#include <stddef.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  MPI_Request request;
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
      MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
      clear_log();
      MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    expect_log("isend 2 isend 1 ");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
