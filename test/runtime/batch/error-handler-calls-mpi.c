// An error at issue (no attached buffer for the second Ibsend) calls the program's handler, which
// itself communicates and waits: it finds the other sends started, and the batch goes on. Fails
// without the guard: the flush inside the flush issues messages twice, or the handler's wait
// completes a request that was never started.
//
// RUN: printf 'ranks 2\nsite 1\norder * 0 0 0 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static MPI_Comm own;
static MPI_Request requests[3];
static int handled;

static void handler(MPI_Comm *communicator, int *error, ...) {
  int received = 0, sent = 9;
  (void)communicator;
  (void)error;
  ++handled;
  expect_log("start 0 start 1 ");
  MPI_Send(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); // after what was captured for that rank
  expect_log("start 0 start 1 start 1 send 1 ");
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  MPI_Recv(&received, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(received == 3);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler errors;
  static int large[100000]; // too large for the eager protocol, which needs no attached buffer
  int values[3] = {1, 2, 3}, received;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_create_errhandler(handler, &errors);
  MPI_Comm_set_errhandler(own, errors);
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      MPI_Isend(&values[0], 1, MPI_INT, 0, 0, own, &requests[0]);
      MPI_Ibsend(large, 100000, MPI_INT, 1, 0, own, &requests[1]);
      MPI_Isend(&values[2], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[2]);
    }
    EXPECT(handled == 1);
    expect_log("start 0 start 1 start 1 send 1 ");
    MPI_Recv(&received, 1, MPI_INT, 0, 0, own, MPI_STATUS_IGNORE);
    EXPECT(received == 1);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[1]);
  } else {
    MPI_Recv(&received, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(received == 3);
    MPI_Send(&received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(received == 9);
  }
  MPI_Errhandler_free(&errors);
  MPI_Comm_free(&own);
  MPI_Finalize();
}
