// A C++ exception ends the scope on its way, and is caught as ever.
// Fails when the scope's end is not called or throws.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc -c %planned_loop -o %t.o
// RUN: %mpicxx %s %t.o -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

#include <stdexcept>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 0;
  bool caught = false;
  if (my_rank() == 0) {
    try {
      sendwright_batch(loop);
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      throw std::runtime_error("out");
    } catch (const std::runtime_error &) {
      caught = true;
    }
    EXPECT(caught);
    expect_log("isend 1 ");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
