// A loop that communicates in some executions leaves an event in the others, too, also in those
// before the first that communicates. A loop that never communicates leaves nothing.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %print_profile %t.prof | sed 's/ at .*//' | %FileCheck %s --match-full-lines

// CHECK: rank
// CHECK-NEXT: skip program.c:1
// CHECK-NEXT: skip program.c:1
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: MPI_Send in program.c:1
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: skip program.c:1
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: MPI_Send in program.c:1
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: rank
// CHECK-NEXT: MPI_Recv
// CHECK-NEXT: MPI_Recv
// CHECK-NOT: {{.}}

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  static const int sends[] = {0, 0, 1, 0, 1};
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; ++i) {
    MARK(first)
    if (sends[i] && rank == 0)
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    END_MARK
    MARK(second)
    END_MARK
    if (sends[i] && rank == 1)
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
