// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)

void f(int n) {
  double *A = 0;
  #pragma hpf template T(n)
  #pragma hpf distribute T(block) onto P
  #pragma hpf align A(i) with T(i)
  // CHECK: errors-of-cells-of-templates.c:[[#@LINE+1]]:22: error: hpf: 'T' is a template, which has no elements, expected an array
  #pragma hpf shadow T(1)
  // CHECK: :[[#@LINE+1]]:24: error: hpf: found 2 dimensions, expected 1, as 'A' has
  #pragma hpf shadow A(1, 1)
}
