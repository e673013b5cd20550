// A program whose every message has another size is still recorded in little space: after 64 sizes
// of one kind of message, further sizes are rounded up to powers of two; earlier ones stay exact.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: test "$(stat -c %%s %t.prof)" -lt 60000
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep ^send %t.trace | sort | uniq | wc -l | %FileCheck %s --check-prefix=KINDS
// RUN: grep -v ^compute %t.trace | %FileCheck %s --match-full-lines

// KINDS: {{^7[0-9]$}}
// CHECK: rank 0
// CHECK-NEXT: send 1 bytes=1
// CHECK-NEXT: send 1 bytes=2
// CHECK-NEXT: send 1 bytes=3
// CHECK: send 1 bytes=64
// CHECK-NEXT: send 1 bytes=128
// CHECK: send 1 bytes=4096
// CHECK: send 1 bytes=33

#include "../inputs/recorded.h"

#include <mpi.h>

static char data[4096];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int size = 1; size <= 3001; ++size) {
    const int bytes = size <= 3000 ? size : 33;
    if (rank == 0)
      MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
