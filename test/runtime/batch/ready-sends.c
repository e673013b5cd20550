// Ready sends, blocking and nonblocking, stay ready sends: their receives are posted before. Fails
// when they are issued before they are captured, or in another mode: the log differs.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int values[2] = {-1, -1};
  MPI_Request requests[2];
  if (my_rank() > 0)
    for (int message = 0; message < 2; ++message)
      MPI_Irecv(&values[message], 1, MPI_INT, 0, message, MPI_COMM_WORLD, &requests[message]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      for (int peer = 1; peer < 3; ++peer) {
        values[0] = peer;
        MPI_Rsend(&values[0], 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
      }
      values[0] = 7;
      for (int peer = 1; peer < 3; ++peer)
        MPI_Irsend(&values[0], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[peer - 1]);
    }
    expect_log("irsend 2 irsend 1 start 1 start 2 ");
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (my_rank() > 0)
    EXPECT(values[0] == my_rank() && values[1] == 7);
  MPI_Finalize();
}
