// A program that changes its working folder writes its profile where it was started.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc %s -o %t/app %runtime
// RUN: cd %t && env SENDWRIGHT_PROFILE=app.prof %mpirun 2 %t/app
// RUN: ls %t/app.prof && %sendwright show %t/app.prof | grep '2 ranks'

#include "../inputs/recorded.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (chdir("/") != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
