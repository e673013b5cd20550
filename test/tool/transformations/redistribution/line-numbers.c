// No line moves, and continued lines stay lines: __LINE__ and the compiler's diagnostics are those of the
// original.
//
// RUN: %cc -Wall %plugin -S -emit-llvm -O1 %s -o %t.ll 2> %t.err && %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=WARNING < %t.err
//
// CHECK: define {{.*}}@line
// CHECK: ret i32 [[#@LINE+14]]
// WARNING: line-numbers.c:[[#@LINE+11]]:7: warning: unused variable 'unused'

#include <mpi.h>
#pragma hpf processors P(6)
void f(double *first, const int *sizes) {
  double *A = first;
  #pragma hpf distribute A(gen_block( \
                             sizes /* of
                             blocks */ )) onto \
                           P
  #pragma hpf dynamic A
  int unused;
}
int line(void) { return __LINE__; }
