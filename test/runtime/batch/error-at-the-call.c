// Wrong arguments are reported by the program's own call, to its own error handler.
// Fails when errors surface at issue: the calls below return MPI_SUCCESS.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static int error_class(int error) {
  int result;
  MPI_Error_class(error, &result);
  return result;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int value = 0;
  MPI_Request request;
  MPI_Datatype uncommitted;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  {
    sendwright_batch(loop);
    EXPECT(error_class(MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
    EXPECT(error_class(MPI_Isend(&value, 1, MPI_INT, -7, 0, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_RANK);
    EXPECT(error_class(MPI_Isend(&value, -1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_COUNT);
    EXPECT(error_class(MPI_Isend(&value, 1, MPI_INT, 1, -5, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_TAG);
    EXPECT(error_class(MPI_Isend(&value, 1, MPI_DATATYPE_NULL, 1, 0, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_TYPE);
    EXPECT(error_class(MPI_Isend(&value, 1, uncommitted, 1, 0, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_TYPE);
    EXPECT(error_class(MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_NULL)) == MPI_ERR_COMM);
  }
  MPI_Type_free(&uncommitted);
  MPI_Finalize();
}
