// A program that aborts, or whose ranks do, leaves neither a profile nor a part of one.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: rm -rf %t.folder && mkdir %t.folder
// RUN: ! env SENDWRIGHT_PROFILE=%t.folder/profile %mpirun 2 %t
// RUN: test -z "$(ls -A %t.folder)"

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
