// A persistent buffered send may be started again while its last message is still under way. Open
// MPI then gives it another handle, which only MPI_Start can return, so such a start is never held
// under Open MPI. Fails when it is held: the program uses a request that is gone.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 20000, turns = 4 }; /* more than MPI sends before they are received */

static int values[4][count];
static MPI_Request sends[4];

static void send_all(int turn) {
  {
    sendwright_batch(loop);
    for (int peer = 1; peer < 4; ++peer) {
      values[peer][count - 1] = 10 * peer + turn;
      MPI_Start(&sends[peer]);
    }
  }
  MPI_Waitall(3, sends + 1, MPI_STATUSES_IGNORE);
}

static void make(MPI_Request *requests, int tag) {
  for (int peer = 1; peer < 4; ++peer)
    MPI_Bsend_init(values[peer], count, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[peer]);
}

static void rank_0(void) {
  MPI_Request others[4];
  int size = 3 * turns * ((int)sizeof values[0] + MPI_BSEND_OVERHEAD);
  void *attached = malloc(size);
  MPI_Buffer_attach(attached, size);
  make(sends, 0);
  for (int turn = 0; turn < turns; ++turn)
    send_all(turn);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD); /* all is received: other requests may get what MPI has freed */
  make(others, 1);
  for (int peer = 1; peer < 4; ++peer)
    for (int other = 1; other < 4; ++other)
      EXPECT(others[other] != sends[peer]);
  for (int peer = 1; peer < 4; ++peer) {
    MPI_Request_free(&sends[peer]);
    MPI_Request_free(&others[peer]);
  }
  MPI_Buffer_detach(&attached, &size);
  free(attached);
}

static void other_ranks(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Recv(values[0], count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(values[0][count - 1] == 10 * my_rank() + turn);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0)
    rank_0();
  else
    other_ranks();
  MPI_Finalize();
}
