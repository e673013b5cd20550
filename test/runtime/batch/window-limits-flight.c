// With a window of one, the second large message leaves when the first has arrived: here rank 1
// confirms its message before rank 2 probes for its own. Fails without the window: both leave at
// once, and rank 2 finds the second.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 window=1 1 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 1000000 }; // 4 MB: the window waits a quarter of a second for it

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[count];
  int flag = 0, token = 0;
  MPI_Request requests[2];
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int peer = 2; peer > 0; --peer)
      MPI_Isend(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[peer - 1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (my_rank() == 1) {
    MPI_Recv(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int look = 0; look < 20; ++look) {
      MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      EXPECT(!flag);
      usleep(1000);
    }
    MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
