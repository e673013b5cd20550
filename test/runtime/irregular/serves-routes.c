// A rank that waits in a replaced call passes on shared messages of others: rank 2 comes to MPI_Alltoallv only
// when it has a message that rank 1, already there, must pass on. What a loop still holds leaves before the call.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 3\nsite 2\nexchange stages=2\nroute 0 2 7 0:1 1:2\nirregular MPI_Alltoallv\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: passed on

#include "../inputs/irregular.h"

PLANNED_LOOP(sending, 2, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 20; ++round) {
    int value = 100 * round, arrived = -1;
    int out[3] = {my_rank(), my_rank(), my_rank()}, in[3], places[3] = {0, 1, 2}, one[3] = {1, 1, 1};
    {
      sendwright_batch(sending);
      if (my_rank() == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD);
    }
    if (my_rank() == 2) {
      MPI_Recv(&arrived, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(arrived == value);
    }
    MPI_Alltoallv(out, one, places, MPI_INT, in, one, places, MPI_INT, MPI_COMM_WORLD);
    for (int other = 0; other < 3; ++other)
      EXPECT(in[other] == other);
  }
  EXPECT(left_to_mpi == 0);
  if (my_rank() == 0)
    printf("passed on\n");
  MPI_Finalize();
}
