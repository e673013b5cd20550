// The loop makes a datatype, sends with it and frees it: freeing flushes.
// Fails without the flush: the send is issued with a handle that is gone.
//
// RUN: printf 'ranks 2\nsite 1\norder 0 1 1 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int matrix[4][4];
  for (int index = 0; index < 16; ++index)
    matrix[index / 4][index % 4] = index;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int width = 1; width < 4; ++width) {
      MPI_Datatype block;
      MPI_Type_vector(4, width, 4, MPI_INT, &block);
      MPI_Type_commit(&block);
      MPI_Send(matrix, 1, block, 1, width, MPI_COMM_WORLD);
      MPI_Type_free(&block);
    }
  } else {
    for (int width = 1; width < 4; ++width) {
      int values[16];
      MPI_Recv(values, 4 * width, MPI_INT, 0, width, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int index = 0; index < 4 * width; ++index)
        EXPECT(values[index] == matrix[index / width][index % width]);
    }
  }
  MPI_Finalize();
}
