// A send that is not captured does not overtake captured ones to the same rank: here a send through
// a persistent request, one too large to copy, and half of a Sendrecv. Fails without the flush
// before them: the receiver takes whatever comes first.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 1 1 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_COPY_LIMIT=64 %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int large[100] = {0};
  if (my_rank() == 0) {
    MPI_Request persistent, request;
    MPI_Send_init(large, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &persistent);
    sendwright_batch(loop);
    MPI_Isend(large, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&persistent);
    MPI_Send(large, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Send(large, 100, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Send(large, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    MPI_Sendrecv(large, 1, MPI_INT, 1, 5, large, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    for (int tag = 0; tag < 6; ++tag) {
      MPI_Status status;
      MPI_Recv(large, 100, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      EXPECT(status.MPI_TAG == tag);
    }
    MPI_Send(large, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
