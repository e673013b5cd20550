// The last call that members enter without meeting: its root leaves it early, and sends a large
// message to a rank that still waits in it for others, which wait for the root. The receive is
// posted, so the message leaves. Fails if the root's messages wait for their receivers because the
// next call has a meeting.
//
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include "../../inputs/calls-without-meeting.h"

enum { large = 50000 };

static int out[large], in[large];

static void broadcast(void) {
  int value = number;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT(value == number);
}

/* Ranks 1 and 2 come to the call after rank 0 has sent rank 3 the large message. */
static void leave_early(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  exchange_among(15);
  if (my_rank() == 3)
    MPI_Irecv(in, large, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  if (my_rank() == 1 || my_rank() == 2)
    MPI_Recv(NULL, 0, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  broadcast();
  if (my_rank() == 0) {
    usleep(20000);
    MPI_Send(out, large, MPI_INT, 3, 5, MPI_COMM_WORLD);
    for (int peer = 1; peer < 3; ++peer)
      MPI_Send(NULL, 0, MPI_INT, peer, 4, MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int gap = 12; gap < 19; ++gap) {
    for (int times = 0; times < gap; ++times) {
      exchange_among(15);
      broadcast();
    }
    leave_early();
  }
  MPI_Finalize();
  return 0;
}
