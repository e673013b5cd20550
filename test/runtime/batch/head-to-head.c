// Two ranks send to each other before they receive. Below the eager limit that works as written,
// and must still work; above the limit the program would hang as written, so this is not tested.
// With a receive posted first, any size works. Hangs when issuing waits for one message before the
// next has left.
//
// RUN: printf 'ranks 4\nsite 1\norder * window=1 0 1 2 3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan OMPI_MCA_btl_vader_eager_limit=256 UCX_RNDV_THRESH=256 %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static int sent[5000], received[4][5000];

static void receive_first(int count) {
  MPI_Request requests[4];
  for (int peer = 0; peer < 4; ++peer)
    MPI_Irecv(received[peer], count, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[peer]);
  {
    sendwright_batch(loop);
    for (int peer = 3; peer >= 0; --peer)
      MPI_Send(sent, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void send_first(int count) {
  {
    sendwright_batch(loop);
    for (int peer = 3; peer >= 0; --peer)
      MPI_Send(sent, count, MPI_INT, peer, 0, MPI_COMM_WORLD);
  }
  for (int peer = 0; peer < 4; ++peer)
    MPI_Recv(received[peer], count, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 50; ++round) {
    sent[0] = sent[4999] = 10 * round + my_rank();
    send_first(25); // 100 bytes
    for (int peer = 0; peer < 4; ++peer)
      EXPECT(received[peer][0] == 10 * round + peer);
    receive_first(5000);
    for (int peer = 0; peer < 4; ++peer)
      EXPECT(received[peer][4999] == 10 * round + peer);
  }
  MPI_Finalize();
}
