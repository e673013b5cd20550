// A loop written in a macro cannot be edited: the source stays, and a remark says why. A macro that is
// only the head of the loop, or a check around its call, is no obstacle.
//
// RUN: %cc %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %FileCheck %s < %t/left-macro-body.c
//
// CHECK: {{^}}  SEND_ALL(n);
// CHECK-NEXT: {{^}}  { sendwright_mark(
// CHECK-NEXT: {{^}}  EACH(i, n) (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  { sendwright_mark(
// CHECK-NEXT: {{^}}  EACH(i, n) { STATEMENT(MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD)) }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  { sendwright_mark(
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; i++) STATEMENT(MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD))
// CHECK-NEXT: {{^}}  }

#include <mpi.h>
#define EACH(i, n) for (int i = 0; i < n; i++)
#define SEND_ALL(n) EACH(i, n) MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD)
#define STATEMENT(call) call;

void f(int n) {
  // REMARK: left-macro-body.c:[[#@LINE+1]]:3: remark: send loop left as written: the loop is written in a macro
  SEND_ALL(n);
  EACH(i, n) MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  EACH(i, n) { STATEMENT(MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD)) }
  for (int i = 0; i < n; i++) STATEMENT(MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD))
  // REMARK-NOT: remark:
}
