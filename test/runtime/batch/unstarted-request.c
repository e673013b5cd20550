// The loop waits for its own sends, one by one, and overwrites their buffer:
// completing calls first start what is captured. Fails without that: a persistent
// request that was not started completes at once, and the buffer is overwritten before
// it is sent.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static void complete(int how, MPI_Request *request) {
  int flag = 0, index, indices[1];
  MPI_Status status[1];
  while (!flag) {
    flag = 1;
    switch (how) {
    case 0:
      MPI_Wait(request, status);
      break;
    case 1:
      MPI_Waitall(1, request, status);
      break;
    case 2:
      MPI_Waitany(1, request, &index, status);
      break;
    case 3:
      MPI_Waitsome(1, request, &index, indices, status);
      break;
    case 4:
      MPI_Test(request, &flag, status);
      break;
    case 5:
      MPI_Testall(1, request, &flag, status);
      break;
    case 6:
      MPI_Testany(1, request, &index, &flag, status);
      break;
    case 7:
      MPI_Testsome(1, request, &flag, indices, status);
      break;
    }
  }
  EXPECT(*request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[20000];
  for (int count = 1; count <= 20000; count += 19999)
    if (my_rank() == 0) {
      sendwright_batch(loop);
      for (int how = 0; how < 8; ++how) {
        MPI_Request request;
        values[count - 1] = how;
        MPI_Isend(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        complete(how, &request);
        values[count - 1] = -1;
      }
    } else {
      for (int how = 0; how < 8; ++how) {
        MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT(values[count - 1] == how);
      }
    }
  MPI_Finalize();
}
