// With remarks=all, a send loop that never ran while the profile was taken gets a remark. A loop
// around it does not: the remark at the inner loop says everything.
//
// RUN: %plan_for %t.plan rewrite %cc -DPROFILED %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: left-unknown-to-the-plan.c:[[#@LINE+7]]:3: remark: send loop reordered by
// CHECK: left-unknown-to-the-plan.c:[[#@LINE+10]]:3: remark: send loop left as written: it sends nothing in the profile
// CHECK-NOT: remark:

#include <mpi.h>

void f(int n) {
  for (int i = 0; i < n; i++) MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}
#ifndef PROFILED
void g(int n) {
  for (int i = 0; i < n; i++) MPI_Send(&i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
}
void h(int n) {
  for (int i = 0; i < n; i++)
    g(n);
  while (n-- > 0)
    f(n);
}
#endif
