// A planned loop whose body waits for something outside MPI must not be deferred: the compiled text is
// the user's, and the remark names the reason.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %cc %use=%t.plan -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: llvm-nm-19 -u %t.o > %t.symbols; ! grep sendwright %t.symbols
// RUN: %sendwright rewrite %s --plan %t.plan --remarks none -- %mock > %t.diff
// RUN: test ! -s %t.diff
//

#include <mpi.h>
#include <unistd.h>

void f(int n) {
  // CHECK: left-waits-outside-mpi.c:[[#@LINE+1]]:3: remark: send loop left as written: {{.*}}sleep
  for (int i = 0; i < n; i++) {
    MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    sleep(1);
  }
}
// CHECK-NOT: remark:
