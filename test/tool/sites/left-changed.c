// A loop that was edited after profiling is a different loop: it compiles as written, with a remark at
// its function. Comments, white space and edits elsewhere do not make it a different loop.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %cc %use=%t.plan -DCHANGED -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SAME
// RUN: rm -rf %t && mkdir %t
// RUN: sed 's/&value, 1/\&value, 2/' %s > %t/left-changed.c
// RUN: %cc %use=%t.plan -c %t/left-changed.c -o %t.o 2>&1 | %FileCheck %s --check-prefix=CHANGED
// RUN: llvm-nm-19 -u %t.o > %t.symbols; ! grep sendwright %t.symbols
// RUN: sed '/^  for/s|(int i = 0|  ( int i=/*none*/ 0|; s/^int g/int h/; s/= g(n)/= n/' %s > %t/left-changed.c
// RUN: %cc %use=%t.plan -c %t/left-changed.c -o %t.o 2>&1 | %FileCheck %s --check-prefix=SAME
//
// SAME: remark: send loop reordered by
// SAME-NOT: remark:

#include <mpi.h>

int g(int n) { return n + 1; }

// CHANGED: left-changed.c:[[#@LINE+1]]:6: remark: send loop left as written: the loop of line [[#@LINE+3]] in 'f' changed since the profile; compiled as written
void f(int n) {
  int value = g(n);
  for (int i = 0; i < n; i++)
    MPI_Send(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
}
// CHANGED-NOT: remark:
