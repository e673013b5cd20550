// A rank that sends to itself receives the message: after the loop, in it, and by a receive that
// was posted in it. MPI_COMM_SELF counts as the rank itself. Hangs when a receive or a wait does
// not issue the message first.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int sent[30000], received[30000];
  int rank = my_rank();
  MPI_Request requests[2];
  {
    sendwright_batch(loop);
    MPI_Irecv(received, 30000, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
    sent[29999] = 1;
    MPI_Send(sent, 30000, MPI_INT, rank, 0, MPI_COMM_WORLD);
    sent[29999] = 2;
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    EXPECT(received[29999] == 1);
    MPI_Isend(sent, 30000, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Recv(received, 30000, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT(received[29999] == 2);
    MPI_Isend(sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[1]);
  }
  MPI_Recv(received, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
