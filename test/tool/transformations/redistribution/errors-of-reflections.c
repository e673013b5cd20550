// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <stdlib.h>

void f(int n) {
  #pragma hpf processors P(4)
  double *A = NULL, *B = NULL, *plain = NULL, *loose = NULL;
  #pragma hpf distribute A(block) onto P extent(n)
  #pragma hpf distribute B(block, *) onto P extent(n, n)
  #pragma hpf distribute plain(block) onto P extent(n)
  #pragma hpf shadow A(n:1)
  #pragma hpf shadow B(1, 1)
  #pragma hpf reflect A periodic(n)
  // CHECK: errors-of-reflections.c:[[#@LINE+1]]:23: error: hpf: 'plain' has no shadow, expected #pragma hpf shadow plain(LOWER:UPPER)
  #pragma hpf reflect plain
  // CHECK: :[[#@LINE+1]]:23: error: hpf: 'loose' is not distributed here
  #pragma hpf reflect loose
}
void g(int n) {
  #pragma hpf processors P(4)
  double *B = NULL;
  #pragma hpf distribute B(block, *) onto P extent(n, n)
  #pragma hpf shadow B(1, 1)
  // CHECK: :[[#@LINE+1]]:34: error: hpf: found 1 period, expected 2, one for each dimension of 'B'
  #pragma hpf reflect B periodic(1)
}
