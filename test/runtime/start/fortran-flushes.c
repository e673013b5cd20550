// Inside a batch, Fortran code that the loop calls reaches MPI through its own entry points. They
// first issue what was captured, in each of the three ways to use MPI from Fortran. Fails when they
// bypass the wrappers: the log is then empty, and the messages leave too late.
//
// REQUIRES: fortran
// RUN: printf 'ranks 2\nsite 1\norder 0 1\n' | %write_plan %t.plan
// RUN: %mpif90 -c %S/../inputs/ask-for-size.f90 -J %T -o %t.fortran.o
// RUN: %mpicc -c %s -o %t.o && %mpicc -c %planned_loop -o %t.planned.o
// RUN: %mpif90 -rdynamic %t.o %t.planned.o %t.fortran.o -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

void size_by_mpif_h_(MPI_Fint *communicator, MPI_Fint *size);
void size_by_mpi_(MPI_Fint *communicator, MPI_Fint *size);
void size_by_mpi_f08_(MPI_Fint *communicator, MPI_Fint *size);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  void (*const ask[])(MPI_Fint *, MPI_Fint *) = {size_by_mpif_h_, size_by_mpi_, size_by_mpi_f08_};
  MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), size = 0;
  int value = 7;
  for (int way = 0; way < 3; ++way)
    if (my_rank() == 0) {
      sendwright_batch(loop);
      clear_log();
      MPI_Send(&value, 1, MPI_INT, 1, way, MPI_COMM_WORLD);
      expect_log("");
      ask[way](&world, &size);
      expect_log("isend 1 ");
      EXPECT(size == 2);
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Finalize();
  return 0;
}
