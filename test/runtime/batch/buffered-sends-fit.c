// Buffered sends with an attached buffer of exactly the size that the program computed: deferring
// takes no more of it, even for large messages. Fails when a captured send takes its space both at
// capture and at issue.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 20000 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[count];
  int one, size;
  MPI_Pack_size(count, MPI_INT, MPI_COMM_WORLD, &one);
  size = 4 * (one + MPI_BSEND_OVERHEAD);
  void *attached = malloc(size);
  MPI_Request requests[4];
  for (int kind = 0; kind < 2; ++kind) {
    MPI_Buffer_attach(attached, size);
    {
      sendwright_batch(loop);
      values[0] = 100 * kind + my_rank();
      for (int peer = 0; peer < 4; ++peer)
        if (kind)
          MPI_Ibsend(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[peer]);
        else
          MPI_Bsend(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    if (kind)
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < 4; ++peer) {
      MPI_Recv(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(values[0] == 100 * kind + peer);
    }
    MPI_Buffer_detach(&attached, &size);
  }
  free(attached);
  MPI_Finalize();
}
