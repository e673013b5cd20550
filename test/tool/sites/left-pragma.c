// A pragma applies to the statement that follows it; a scope would take the loop away from it. The
// pragma may be hidden from this compilation.
//
// RUN: %cc %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %FileCheck %s < %t/left-pragma.c
// RUN: %plan_for %t.plan leave %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=USE
// RUN: %cc -fopenmp %generate %argument-remarks=all -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=OPENMP
//
// CHECK: {{^}}#pragma omp parallel for
// CHECK-NEXT: {{^}}  for (
// CHECK: {{^}}  for (
// CHECK: {{^}}#pragma GCC diagnostic push
// CHECK-NEXT: {{^}}  { sendwright_mark(
// CHECK-NEXT: {{^}}  for (

#include <mpi.h>

static void send(int peer) { MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); }

void f(int n) {
// REMARK: left-pragma.c:[[#@LINE+4]]:3: remark: send loop left as written: a pragma applies to the loop (omp parallel for)
// OPENMP: left-pragma.c:[[#@LINE+3]]:3: remark: send loop left as written: a pragma applies to the loop
// USE: left-pragma.c:[[#@LINE+2]]:3: remark: send loop left as written: a pragma applies to the loop (omp parallel for)
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    send(i);
#ifndef NOTHING
// REMARK: left-pragma.c:[[#@LINE+5]]:3: remark: send loop left as written: a pragma applies to the loop (omp parallel for)
// OPENMP: left-pragma.c:[[#@LINE+4]]:3: remark: send loop left as written: a pragma applies to the loop
#pragma omp parallel for
#endif
  // The pragma's loop.
  for (int i = 0; i < n; i++) send(i);
// REMARK: left-pragma.c:[[#@LINE+2]]:3: remark: send loop left as written: an attribute or pragma applies to the loop
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++) send(i);
// REMARK: left-pragma.c:[[#@LINE+2]]:24: remark: send loop left as written: a pragma applies to the loop ("GCC ivdep")
// REMARK: left-pragma.c:[[#@LINE+1]]:24: remark: block of 2 send loops left as written: a pragma applies to the block ("GCC ivdep")
  _Pragma("GCC ivdep") for (int i = 0; i < n; i++) send(i);
#pragma GCC diagnostic push
  for (int i = 0; i < n; i++) send(i);
#pragma GCC diagnostic pop
}
// REMARK-NOT: remark:
