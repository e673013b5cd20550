// Two messages to one rank keep their order whatever their tags: an ANY_TAG receiver sees it. The
// plan names rank 1 in places that would invite a swap. Fails when the order key contains the tag,
// or when surplus messages go before planned ones.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), values[8];
  if (rank == 0) {
    {
      sendwright_batch(loop);
      for (int message = 0; message < 8; ++message) {
        values[message] = message;
        MPI_Send(&values[message], 1, MPI_INT, 1 + message % 2, 50 - message, MPI_COMM_WORLD);
      }
    }
    expect_log("isend 2 isend 1 isend 2 isend 1 isend 1 isend 2 isend 1 isend 2 ");
  } else {
    for (int message = rank - 1; message < 8; message += 2) {
      int value = -1;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      EXPECT(value == message && status.MPI_TAG == 50 - message);
    }
  }
  MPI_Finalize();
}
