// Non-blocking and blocking sends of a planned loop leave in the plan's order, and arrive intact.
// Fails without capture: the log is that of the loop.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t disabled

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static void receive_all(int base) {
  for (int source = 0; source < 4; ++source)
    if (source != my_rank()) {
      int value = -1;
      MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(value == base + source);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), value = 100 + rank, count = 0;
  MPI_Request requests[4];
  clear_log();
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 4; ++peer)
      if (peer != rank)
        MPI_Isend(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[count++]);
  }
  if (rank == 0)
    expect_log(argc > 1 ? "isend 1 isend 2 isend 3 " : "start 3 start 2 start 1 ");
  receive_all(100);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int index = 0; index < count; ++index)
    EXPECT(requests[index] == MPI_REQUEST_NULL);

  value = 200 + rank;
  clear_log();
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 4; ++peer)
      if (peer != rank)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
  }
  if (rank == 0)
    expect_log(argc > 1 ? "send 1 send 2 send 3 " : "isend 3 isend 2 isend 1 ");
  receive_all(200);
  MPI_Finalize();
}
