// Sends of Fortran code inside a batch run as written, after what was captured: MPI's Fortran
// library may send through functions that are captured, and wait through others that bypass the
// runtime. Fails when such a send is captured: its request is not null after it was waited for.
//
// REQUIRES: fortran
// RUN: printf 'ranks 2\nsite 1\norder 0 1 1\n' | %write_plan %t.plan
// RUN: %mpif90 -c %S/../inputs/send-by-fortran.f90 -J %T -o %t.fortran.o
// RUN: %mpicc -c %s -o %t.o && %mpicc -c %planned_loop -o %t.planned.o
// RUN: %mpif90 -rdynamic %t.o %t.planned.o %t.fortran.o -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

void send_by_mpif_h_(MPI_Fint *communicator, MPI_Fint *destination, MPI_Fint *null);
void send_by_mpi_f08_(MPI_Fint *communicator, MPI_Fint *destination, MPI_Fint *null);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  void (*const send[])(MPI_Fint *, MPI_Fint *, MPI_Fint *) = {send_by_mpif_h_, send_by_mpi_f08_};
  MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), destination = 1;
  int value = 5;
  for (int way = 0; way < 2; ++way)
    if (my_rank() == 0) {
      MPI_Fint null = 0;
      sendwright_batch(loop);
      clear_log();
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      send[way](&world, &destination, &null);
      expect_log("isend 1 isend 1 ");
      EXPECT(null == 1);
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(value == 5);
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(value == 7);
    }
  MPI_Finalize();
  return 0;
}
