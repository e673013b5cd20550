// A synchronous send synchronises: when it returns, its receiver has begun to receive. It is never
// deferred, and everything captured earlier leaves before it. Fails when Ssend is captured: it
// returns while the receiver still waits for the token.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  if (my_rank() == 0) {
    MPI_Request request;
    sendwright_batch(loop);
    MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    expect_log("isend 2 ssend 1 ");
    MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    expect_log("isend 2 ssend 1 isend 2 issend 1 ");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (my_rank() == 1) { // receives only when rank 2 has its first message
    MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
