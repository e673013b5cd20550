// A shared library that was not compiled with the plugin is recorded, too: what it sends from
// within a marked loop of the program belongs to that loop; other sends belong to no site, but to
// the place in the library that made the call.
//
// RUN: %mpicc -shared -fPIC %S/../inputs/library.c -o %t.so
// RUN: %mpicc %s -o %t %runtime %t.so
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines
// RUN: %print_profile %t.prof | grep -E "^MPI_Send at .*[.]so[+]0x[0-9a-f]+$"

// CHECK: rank 0
// CHECK-NEXT: send 1 bytes=4 tag=1 site=program.c:2
// CHECK-NEXT: send 1 bytes=4 tag=2
// CHECK-NEXT: rank 1

#include "../inputs/recorded.h"

#include <mpi.h>

void library_send(int tag);

int main(int argc, char **argv) {
  int rank, data;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MARK(first) // does not communicate by itself
    MARK(second)
    library_send(1);
    END_MARK
    END_MARK
    library_send(2);
  } else {
    MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
