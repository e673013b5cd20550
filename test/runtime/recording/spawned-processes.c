// Processes that the program starts itself do not overwrite its profile; messages exchanged with
// them name no rank of the program.
//
// Debian's MPICH 4.0.2, which is built over UCX, cannot start processes in any program.
// UNSUPPORTED: mpich
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun_spawning 1 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s

// CHECK: ranks 1
// CHECK: rank 0
// CHECK: send null bytes=4 tag=3

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int data = 1;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                   MPI_ERRCODES_IGNORE);
    MPI_Send(&data, 1, MPI_INT, 0, 3, other);
  } else {
    MPI_Recv(&data, 1, MPI_INT, 0, 3, other, MPI_STATUS_IGNORE);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
