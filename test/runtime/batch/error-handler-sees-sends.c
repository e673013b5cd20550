// On a communicator with its own error handler, blocking sends run where they are written: the
// handler may rely on it. Here the attached buffer is missing. Fails when such sends are deferred:
// the error comes after the loop has gone on.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[100000]; // too large for the eager protocol, which needs no attached buffer
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  {
    sendwright_batch(loop);
    EXPECT(MPI_Bsend(values, 100000, MPI_INT, 1 - my_rank(), 0, own) != MPI_SUCCESS);
  }
  MPI_Comm_free(&own);
  MPI_Finalize();
}
