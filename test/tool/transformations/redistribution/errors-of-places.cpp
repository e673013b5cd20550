// A directive where no statement can stand, or where its call would mean something else, is an error.
//
// RUN: cd %T && %errors %cxx -std=c++17 -fopenmp %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

double *global;
// CHECK: errors-of-places.cpp:[[#@LINE+1]]:1: error: hpf: stands outside of functions, expected a block: it is executed there
#pragma hpf redistribute global(block)
struct group {
  // CHECK: :[[#@LINE+1]]:3: error: hpf: stands in a declaration
  #pragma hpf dynamic global
  double *member;
};
int list[] = {
  // CHECK: :[[#@LINE+1]]:3: error: hpf: stands in a declaration
  #pragma hpf dynamic global
  1};
void declared(int,
  // CHECK: :[[#@LINE+1]]:3: error: hpf: stands in a declaration
  #pragma hpf dynamic global
  int);
int call(int, int);
void f(int n) {
  if (n)
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands between 'if' and its statement, so the call would become that statement; expected braces around it, or a place before it
    #pragma hpf redistribute global(block)
    call(1, 2);
  if (n) {
  }
  // CHECK: :[[#@LINE+1]]:3: error: hpf: stands between 'if' and its statement
  #pragma hpf redistribute global(block)
  else
    call(1, 2);
  for (int i = 0; i < n; i++)
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands between 'for' and its statement
    #pragma hpf redistribute global(block)
    ;
  while (n)
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands between 'while' and its statement
    #pragma hpf redistribute global(block)
    n--;
  do
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands between 'do' and its statement
    #pragma hpf redistribute global(block)
    n--;
  while (n);
  switch (n) {
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands before the first label of a switch, where nothing is executed
    #pragma hpf redistribute global(block)
  case 1:
    // A label stands before its call.
    #pragma hpf dynamic global
    break;
  }
  // CHECK: :[[#@LINE+2]]:5: error: hpf: stands in a statement, expected a place between statements
  call(1,
    #pragma hpf redistribute global(block)
    2);
  n = n +
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands in a statement, expected a place between statements
    #pragma hpf redistribute global(block)
    1;
  int value = ({
    int inner = 3;
    inner;
    // CHECK: :[[#@LINE+1]]:5: error: hpf: stands at the end of a statement expression, whose value is there
    #pragma hpf redistribute global(block)
  });
  #pragma omp parallel
  // CHECK: :[[#@LINE+1]]:3: error: hpf: stands in a statement, expected a place between statements
  #pragma hpf redistribute global(block)
  {
    n++;
    #pragma hpf dynamic global
  }
  // CHECK: :[[#@LINE+2]]:3: error: hpf: stands in a statement, expected a place between statements
  #pragma clang loop unroll(disable)
  #pragma hpf redistribute global(block)
  for (int i = 0; i < n; i++)
    n--;
}
