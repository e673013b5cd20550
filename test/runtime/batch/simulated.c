// Under SimGrid's SMPI, too, sends leave in the plan's order and through its window: there, testing
// a request takes simulated time, and a rank is not a process. Fails when the wrappers are not
// linked in (rank 1 is served first), or when the window tests without time passing: the simulation
// stands still, and the line is missing.
//
// REQUIRES: smpicc
// RUN: printf 'ranks 4\nsite 1\norder * window=1 3 2 1\n' | %write_plan %t.plan
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG %s %planned_loop -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env TEST_PLAN=%t.plan %source_root/test/benchmark/testbed/smpi run 4 \
// RUN:   %source_root/examples/platforms/fast-ethernet.xml %t | %FileCheck %s
// CHECK: served: 3 2 1 3 2 1

#include "../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 100000 };

static int values[count];

static void send_to_all(int blocking, MPI_Request *requests) {
  sendwright_batch(loop);
  for (int peer = 1; peer < 4; ++peer)
    if (blocking)
      MPI_Send(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
    else
      MPI_Isend(values, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[peer - 1]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int served[6], count_served = 0;
  for (int blocking = 0; blocking < 2; ++blocking) {
    MPI_Request requests[3];
    if (my_rank() == 0) {
      send_to_all(blocking, requests);
      for (int which = 0; which < 3; ++which)
        MPI_Recv(&served[count_served++], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      if (!blocking)
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
      int rank = my_rank();
      MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (my_rank() == 0) {
    printf("served:");
    for (int which = 0; which < 6; ++which)
      printf(" %d", served[which]);
    printf("\n");
  }
  MPI_Finalize();
}
