// Calls in the middle of the loop that no list names: their partners make them
// only after receiving what was captured. Hangs when one of them does not
// flush.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static MPI_Win window;
static MPI_Comm made;

static void call(int which) {
  int dimension = 2, period = 0, value = 0, sum;
  MPI_Request request;
  switch (which) {
  case 0:
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    break;
  case 1:
    MPI_Comm_free(&made);
    break;
  case 2:
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dimension, &period, 0, &made);
    break;
  case 3:
    MPI_Comm_disconnect(&made);
    break;
  case 4:
    MPI_Win_fence(0, window);
    break;
  case 5:
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    break;
  case 6:
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    break;
  case 7:
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    break;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0, shared[1];
  MPI_Win_create(shared, sizeof shared, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int which = 0; which < 8; ++which) {
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      call(which);
    }
  } else {
    for (int which = 0; which < 8; ++which) {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      call(which);
    }
  }
  MPI_Win_free(&window);
  MPI_Comm_free(&made);
  MPI_Finalize();
}
