// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)
#define SIZE 3

void f(int n) {
  double *A = 0;
  // CHECK: errors-of-templates.c:[[#@LINE+1]]:24: error: hpf: 'A' is also the name of a variable, expected another name
  #pragma hpf template A(n)
  // CHECK: :[[#@LINE+1]]:24: error: hpf: 'SIZE' is a macro, expected another name
  #pragma hpf template SIZE(n)
  #pragma hpf template T(n)
  // CHECK: :[[#@LINE+1]]:24: error: hpf: 'T' is declared in line [[#@LINE-1]] already, expected another name
  #pragma hpf template T(n + 1)
  // CHECK: :[[#@LINE+1]]:29: error: hpf: '-2' is negative, expected the elements in that dimension
  #pragma hpf template U(n, -2)
  if (n)
    goto end;
  // CHECK: :[[#@LINE+1]]:3: error: hpf: the label in line [[#@LINE+2]] is reached without it, expected it before the jump or in a block of its own
  #pragma hpf template V(n)
end:;
}
