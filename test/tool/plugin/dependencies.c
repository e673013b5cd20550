// A build rebuilds a unit when the plan changes: the plan and the runtime's header are among its
// dependencies.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %cc %use=%t.plan -MD -MF %t.d -c %s -o %t.o && %FileCheck %s < %t.d
// RUN: %cc %use=%t.plan -DUNUSED -MD -MF %t.d -c %s -o %t.o && %FileCheck %s --check-prefix=UNUSED < %t.d
// CHECK-DAG: sendwright/runtime.h
// CHECK-DAG: .plan
// UNUSED: .plan

#include <mpi.h>
#ifndef UNUSED
void f(int n) {
  for (int i = 0; i < n; i++) MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}
#endif
