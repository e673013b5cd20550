// A marked loop appears when it communicates, from its first call to its end, inside the loops
// around it; executions that do not communicate do not appear.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t
// RUN: %print_profile %t.prof | %FileCheck %s --match-full-lines

// CHECK: rank
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: enter program.c:2
// CHECK-NEXT: MPI_Barrier in program.c:2
// CHECK-NEXT: leave program.c:2
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: MPI_Barrier in program.c:1
// CHECK-NEXT: enter program.c:3
// CHECK-NEXT: MPI_Barrier in program.c:3
// CHECK-NEXT: leave program.c:3
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: MPI_Barrier at {{.*loops.*}}+0x{{[0-9a-f]+}}
// CHECK-NOT: {{.}}

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 3; ++round) {
    MARK(first)
    MARK(second)
    if (round == 0)
      MPI_Barrier(MPI_COMM_WORLD);
    END_MARK
    if (round == 2) {
      MPI_Barrier(MPI_COMM_WORLD);
      MARK(third)
      MPI_Barrier(MPI_COMM_WORLD);
      END_MARK
    }
    END_MARK
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
