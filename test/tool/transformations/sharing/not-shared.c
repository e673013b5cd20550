// A loop that is not a complete exchange is left to ordering, and the remark says what was missing.
//
// RUN: %plan_for %t.plan incomplete %cc %s
// RUN: %cc %use=%t.plan -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: not-shared.c:[[#@LINE+6]]:3: remark: send loop reordered by 'message-ordering': max c'_p 31 -> 24 sends (lower bound 24), predicted gain 12.3 us (22.6 %) per execution; not shared because rank 3 never sends in it, and rank 0 in 10 executions
// CHECK-NOT: remark:

#include <mpi.h>

void exchange(const int *values, const int *peers, int n) {
  for (int i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
}
