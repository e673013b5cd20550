// A loop that the plan leaves alone is compiled as written; remarks=all gives the reason.
//
// RUN: %plan_for %t.plan leave %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %cc %use=%t.plan -c %s -o %t.o 2> %t.err
// RUN: test ! -s %t.err
// RUN: llvm-nm-19 -u %t.o > %t.symbols; ! grep sendwright %t.symbols
//
// CHECK: left-by-the-plan.c:[[#@LINE+6]]:3: remark: send loop left as written: it sends to one destination only
// CHECK-NOT: remark:

#include <mpi.h>

void f(int n) {
  for (int i = 0; i < n; i++)
    MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}
