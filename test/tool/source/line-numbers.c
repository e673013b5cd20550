// Rewriting moves no line: __LINE__, diagnostics and the debugger's line table are the original's.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %cc -g -O0 -Wall -c %s -o %t.original.o 2> %t.original.err
// RUN: %cc -g -O0 -Wall %use=%t.plan %argument-remarks=none -c %s -o %t.rewritten.o 2> %t.rewritten.err
// RUN: %cc -g -O0 -Wall %generate -c %s -o %t.marked.o 2> %t.marked.err
// RUN: llvm-nm-19 %t.rewritten.o | grep sendwright_batch_begin
// RUN: grep -o 'line-numbers.c:[0-9]*' %t.original.err | sort -u > %t.original.lines
// RUN: grep -o 'line-numbers.c:[0-9]*' %t.rewritten.err | sort -u | diff %t.original.lines -
// RUN: grep -o 'line-numbers.c:[0-9]*' %t.marked.err | sort -u | diff %t.original.lines -
// RUN: test -s %t.original.lines
//
// Addresses of the table differ and the scope's end adds entries; files and lines do not.
// RUN: for kind in original rewritten marked; do llvm-dwarfdump-19 --debug-line %t.$kind.o > %t.$kind.dwarf; \
// RUN:   awk '/^0x/ && $2 > 0 {print $2, $4}' %t.$kind.dwarf | sort -u > %t.$kind.table; \
// RUN:   grep 'name:' %t.$kind.dwarf | sort > %t.$kind.files; done
// RUN: diff %t.original.table %t.rewritten.table && diff %t.original.table %t.marked.table
// RUN: diff %t.original.files %t.rewritten.files && diff %t.original.files %t.marked.files
// RUN: test -s %t.original.table
// RUN: %cc %use=%t.plan -O1 -S -emit-llvm %s -o - | %FileCheck %s
// CHECK: define {{.*}}@line_of_the_loop_end
// CHECK: ret i32 [[#@LINE+12]]

#include <mpi.h>

int exchange(const int *values, const int *peers, int n) {
  int unused;
  for (int i = 0; i < n; i++) {
    int another;
    MPI_Send(&values[i], 1, MPI_INT, peers[i], __LINE__, MPI_COMM_WORLD);
  } int after; return n;
}
int line_of_the_loop_end(void) {
  { int i = 0; while (i < 3) i++; } return __LINE__;
}
