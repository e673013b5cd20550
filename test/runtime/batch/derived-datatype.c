// Derived types and predefined ones with gaps, out of a buffer that the loop overwrites: MPI packs.
// Fails when count times size bytes are copied from the buffer's address.
//
// RUN: printf 'ranks 2\nsite 1\norder 0 1 1 1 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype column, swapped;
  int lengths[2] = {1, 1}, displacements[2] = {1, 0};
  MPI_Type_vector(5, 1, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Type_indexed(2, lengths, displacements, MPI_INT, &swapped);
  MPI_Type_commit(&swapped);
  int matrix[5][5] = {{0}}, pair[2] = {1, 2}, absolute = 7;
  struct {
    double value;
    int index;
  } located[2] = {{0.5, 1}, {1.5, 2}};
  MPI_Datatype fixed;
  MPI_Aint address;
  MPI_Get_address(&absolute, &address);
  MPI_Type_create_hindexed(1, lengths, &address, MPI_INT, &fixed);
  MPI_Type_commit(&fixed);
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      for (int which = 0; which < 5; ++which) {
        for (int row = 0; row < 5; ++row)
          matrix[row][which] = 10 * row + which;
        MPI_Send(&matrix[0][which], 1, column, 1, 0, MPI_COMM_WORLD);
        for (int row = 0; row < 5; ++row)
          matrix[row][which] = -1;
      }
      MPI_Send(located, 2, MPI_DOUBLE_INT, 1, 1, MPI_COMM_WORLD);
      located[1].value = located[1].index = 0;
      MPI_Send(pair, 1, swapped, 1, 2, MPI_COMM_WORLD);
      pair[0] = pair[1] = 0;
      EXPECT(issue_log[0] == 0);
      MPI_Send(MPI_BOTTOM, 1, fixed, 1, 3, MPI_COMM_WORLD);
      absolute = 0;
#ifndef MPICH_VERSION // MPICH cannot pack from there: sent as written
      EXPECT(issue_log[0] == 0);
#endif
    }
  } else {
    int values[5];
    for (int which = 0; which < 5; ++which) {
      MPI_Recv(values, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int row = 0; row < 5; ++row)
        EXPECT(values[row] == 10 * row + which);
    }
    located[1].value = located[1].index = -1;
    MPI_Recv(located, 2, MPI_DOUBLE_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(located[1].value == 1.5 && located[1].index == 2);
    MPI_Recv(values, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(values[0] == 2 && values[1] == 1);
    MPI_Recv(values, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(values[0] == 7);
  }
  MPI_Type_free(&column);
  MPI_Type_free(&swapped);
  MPI_Type_free(&fixed);
  MPI_Finalize();
}
