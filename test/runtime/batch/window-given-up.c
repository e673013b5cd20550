// Receivers that are never ready in the plan's order: each receives only after the next rank.
// After a while the window lets the rest go, and a site where this keeps happening loses its
// window. Hangs when the window waits forever; runs into the time limit when each execution waits
// anew.
//
// RUN: printf 'ranks 4\nsite 1\norder 0 window=1 1 2 3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { count = 250000 }; // 1 MB: half a second of patience

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[count];
  int rank = my_rank(), token = 0;
  for (int round = 0; round < 200; ++round) {
    MPI_Request requests[3];
    if (rank == 0) {
      sendwright_batch(loop);
      for (int peer = 3; peer > 0; --peer)
        if (round % 2) // as written these wait for the receivers: rank 3 is ready first
          MPI_Send(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
        else
          MPI_Isend(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[peer - 1]);
      if (round % 2 == 0)
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
      if (rank < 3)
        MPI_Recv(&token, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank > 1)
        MPI_Send(&token, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
}
