// Directives and loops of one unit are edited together. A loop that contains a directive, or calls a
// function with a directive, is not deferred: the directive moves what its messages send.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all %argument-output-dir=%t -Wunknown-pragmas -Werror -c %s -o %t.o 2> %t.err
// RUN: sed 's,//.*,,' %t/beside-loops.c | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %cc %generate %argument-output-dir=%t.generate -c %s -o %t.o && sed 's,//.*,,' %t.generate/beside-loops.c | %FileCheck %s --check-prefix=MARKED

#include <mpi.h>

double *A;
#pragma hpf processors P(6)
#pragma hpf dynamic A
void start(const int *sizes) {
  #pragma hpf distribute A(gen_block(sizes)) onto P
}
static void move(const int *sizes) {
  #pragma hpf redistribute A(gen_block(sizes))
}
void exchange(const int *values, const int *peers, int n) {
  // CHECK: void exchange(
  // CHECK: sendwright_hpf_redistribute(
  // CHECK: {{^}}  { sendwright_batch(
  // CHECK-NEXT: {{^}}  for (int i = 0; i < n; i++)
  // MARKED: void exchange(
  // MARKED: sendwright_hpf_redistribute(
  // MARKED: {{^}}  { sendwright_mark(
  // MARKED-NEXT: {{^}}  for (int i = 0; i < n; i++)
  #pragma hpf redistribute A(gen_block(peers))
  for (int i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
  // CHECK: separator
  // CHECK-NOT: sendwright_batch
  // REMARK: beside-loops.c:[[#@LINE+2]]:3: remark: send loop left as written: a directive in it moves the blocks of arrays
  int separator;
  for (int i = 0; i < n; i++) {
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 1, MPI_COMM_WORLD);
    #pragma hpf redistribute A(gen_block(peers))
  }
  // REMARK: beside-loops.c:[[#@LINE+1]]:3: remark: send loop left as written: calls move, which redistributes arrays by a directive
  for (int i = 0; i < n; i++) {
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 2, MPI_COMM_WORLD);
    move(peers);
  }
}
