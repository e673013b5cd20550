// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <stdlib.h>

void f(int n) {
  #pragma hpf processors P(4)
  double *A = NULL, *B = NULL, *C = NULL;
  // CHECK: errors-of-shadows.c:[[#@LINE+1]]:22: error: hpf: 'A' is not distributed here, expected #pragma hpf distribute before, in this block or one around it
  #pragma hpf shadow A(1:1)
  #pragma hpf distribute A(block) onto P extent(n)
  #pragma hpf distribute B(block, *) onto P extent(n, n)
  #pragma hpf distribute C(*, cyclic) onto P extent(n, n)
  #pragma hpf shadow A(n:1)
  // CHECK: :[[#@LINE+1]]:24: error: hpf: found 1 dimension, expected 2, as 'B' has
  #pragma hpf shadow B(1)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: '-1' is -1, expected at least no cells
  #pragma hpf shadow B(1:-1, 0)
  // CHECK: :[[#@LINE+1]]:29: error: hpf: '2' cells around a dimension that has no blocks, expected block, gen_block or * for it
  #pragma hpf shadow C(1, 0:2)
}
