// At its limit on memory the recording of the order of calls stops: one line says so, the profile
// says where, and the program goes on.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE_MEMORY=1 SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -q '^truncated' %t.trace
// RUN: test "$(grep -c ^recv %t.trace)" -gt 1000
// RUN: test "$(grep -c ^recv %t.trace)" -lt 100000

// CHECK: the program's own end
// CHECK: {{^}}sendwright: {{[12]}} ranks reached the limit on memory for recording
// CHECK-NOT: sendwright:

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned long call = 0; call < 100000; ++call) { // every call is another event
    const int tag = (int)(call * call % 32749);         // by a rule that no recording knows
    if (rank == 0)
      MPI_Send(NULL, 0, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
    else
      MPI_Recv(NULL, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) {
    printf("the program's own end\n");
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
