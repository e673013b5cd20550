// Blocking sends out of one buffer that the loop overwrites, small and large ones, in all modes.
// Fails without the copy: every rank receives what the last iteration packed.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

static double packed[50000];

static void pack(int count, int peer) {
  for (int index = 0; index < count; ++index)
    packed[index] = peer * 1000.0 + index;
}

static void exchange(int count) {
  static double received[4][50000];
  MPI_Request requests[4];
  int rank = my_rank();
  for (int peer = 0; peer < 4; ++peer)
    MPI_Irecv(received[peer], count, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[peer]);
  MPI_Barrier(MPI_COMM_WORLD); // the receives are posted, as Rsend wants
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 4; ++peer) {
      pack(count, peer);
      if (peer % 3 == 0)
        MPI_Send(packed, count, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
      else if (peer % 3 == 1)
        MPI_Rsend(packed, count, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
      else
        MPI_Bsend(packed, count, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < 4; ++peer)
    for (int index = 0; index < count; ++index)
      EXPECT(received[peer][index] == rank * 1000.0 + index);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int size = 50000 * sizeof(double) + MPI_BSEND_OVERHEAD;
  void *attached = malloc(size);
  MPI_Buffer_attach(attached, size);
  exchange(3);
  exchange(50000);
  clear_log();
  exchange(100);
  if (my_rank() == 0)
    expect_log("isend 3 bsend 2 irsend 1 isend 0 ");
  MPI_Buffer_detach(&attached, &size);
  free(attached);
  MPI_Finalize();
}
