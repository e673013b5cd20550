// A window watches captured requests without completing them: the program's Waitany still finds
// each of them, once. Fails when the window tests them: Waitany returns MPI_UNDEFINED too early.
//
// RUN: printf 'ranks 4\nsite 1\norder * window=1 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int sent[100000], received[4][100000];
  MPI_Request receives[4], sends[8];
  for (int round = 0; round < 20; ++round) {
    for (int peer = 0; peer < 4; ++peer)
      MPI_Irecv(received[peer], 100000, MPI_INT, peer, 0, MPI_COMM_WORLD, &receives[peer]);
    sent[99999] = round + my_rank();
    {
      sendwright_batch(loop);
      for (int peer = 0; peer < 4; ++peer)
        MPI_Isend(sent, 100000, MPI_INT, peer, 0, MPI_COMM_WORLD, &sends[peer]);
    }
    for (int done = 0; done < 4; ++done) {
      int index;
      MPI_Waitany(4, sends, &index, MPI_STATUS_IGNORE);
      EXPECT(index != MPI_UNDEFINED);
    }
    MPI_Waitall(4, receives, MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < 4; ++peer)
      EXPECT(received[peer][99999] == round + peer);
  }
  MPI_Finalize();
}
