// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <stdlib.h>
static const int four[] = {10, 10, 0, 5}, fewer[] = {10, 10, 0, 4}, more[] = {10, 10, 10, 10};
double *global, *elsewhere;

void f(int n, int *sizes) {
  #pragma hpf processors P(4)
  #pragma hpf processors Q(n)
  double *A = NULL, *B = NULL, *C = NULL, *fixed = NULL;
  #pragma hpf dynamic A, B, C, global, elsewhere
  // CHECK: errors-of-redistributions.c:[[#@LINE+1]]:28: error: hpf: 'A' is not distributed here, expected #pragma hpf distribute before, in this block or one around it
  #pragma hpf redistribute A(gen_block(sizes))
  {
    #pragma hpf distribute A(gen_block(sizes)) onto P
    #pragma hpf redistribute A(gen_block(sizes))
  }
  // CHECK: :[[#@LINE+1]]:28: error: hpf: 'A' is not distributed here
  #pragma hpf redistribute A(gen_block(sizes))
  #pragma hpf distribute A(gen_block(four)) onto P
  #pragma hpf distribute B(gen_block(sizes)) onto Q
  #pragma hpf distribute C(gen_block(sizes), *) onto P extent(*, n)
  #pragma hpf distribute fixed(gen_block(sizes)) onto P
  // CHECK: :[[#@LINE+1]]:28: error: hpf: 'fixed' is not dynamic, expected #pragma hpf dynamic fixed
  #pragma hpf redistribute fixed(gen_block(sizes))
  // CHECK: :[[#@LINE+1]]:3: error: hpf: 'A' and 'B' are distributed onto different processors, expected the same
  #pragma hpf redistribute (gen_block(sizes)) :: A, B
  // CHECK: :[[#@LINE+1]]:29: error: hpf: 'C' has 2 dimensions (line [[#@LINE-6]]), found 1
  #pragma hpf redistribute (gen_block(sizes)) :: A, C
  // CHECK: :[[#@LINE+1]]:40: error: hpf: 'fewer' sums to 24, expected at least the extent of 25
  #pragma hpf redistribute A(gen_block(fewer))
  #pragma hpf redistribute A(gen_block(more))
  // CHECK: :[[#@LINE+1]]:55: error: hpf: '30' is 30, expected 25 as the array has
  #pragma hpf redistribute A(gen_block(sizes)) extent(30)
  #pragma hpf redistribute A(gen_block(more)) extent(25)
  #pragma hpf redistribute B(gen_block(sizes)) extent(n)
  // CHECK: :[[#@LINE+1]]:57: error: hpf: 'best' is not a schedule, expected asynchronous, optimal, mlc, tpdr or auto
  #pragma hpf redistribute A(gen_block(sizes)) schedule(best)
  #pragma hpf redistribute global(gen_block(sizes))
  #pragma hpf processors Grid(2, 2)
  double *moved = NULL, *square = NULL;
  #pragma hpf distribute moved(gen_block(sizes)) onto P
  #pragma hpf dynamic moved, square
  // CHECK: :[[#@LINE+1]]:57: error: hpf: 'R' are not processors that are declared here, expected #pragma hpf processors R(...) before
  #pragma hpf redistribute moved(gen_block(sizes)) onto R
  // CHECK: :[[#@LINE+1]]:34: error: hpf: found 1 distributed dimension, expected 2, as many as processors 'Grid' have
  #pragma hpf redistribute moved(gen_block(sizes)) onto Grid
  #pragma hpf distribute square(block, block) onto Grid extent(n, n)
  // CHECK: :[[#@LINE+1]]:51: error: hpf: found another distributed dimension beside balance, expected *
  #pragma hpf redistribute square(balance(sizes), cyclic)
  // CHECK: :[[#@LINE+1]]:38: error: hpf: 'nothing' is not declared here, expected an array of costs, or a pointer to one
  #pragma hpf redistribute B(balance(nothing))
  #pragma hpf redistribute B(balance(sizes))
  // CHECK: :[[#@LINE+1]]:45: error: hpf: 'four' cannot be written, expected an array for the chosen sizes
  #pragma hpf redistribute A(balance(sizes, four))
  int three[3];
  // CHECK: :[[#@LINE+1]]:45: error: hpf: 'three' holds 3 sizes, expected 4, one for each processor
  #pragma hpf redistribute A(balance(sizes, three))
  #pragma hpf redistribute B(balance(measured))
  // CHECK: :[[#@LINE+1]]:48: error: hpf: 'four' cannot be written, expected an array for the chosen sizes
  #pragma hpf redistribute A(balance(measured, four))
  // CHECK: :[[#@LINE+1]]:49: error: hpf: 'three' holds 3 sizes, expected 4, one for each processor
  #pragma hpf redistribute A(balance( Measured, three))
  // CHECK: :[[#@LINE+1]]:54: error: hpf: found another distributed dimension beside balance, expected *
  #pragma hpf redistribute square(balance(measured), cyclic)
  {
    int measured[4];
    // CHECK: :[[#@LINE+1]]:40: error: hpf: 'measured' means that the load is measured, but is also declared here, expected (measured) for costs, or another name for the variable
    #pragma hpf redistribute A(balance(measured))
    #pragma hpf redistribute A(balance((measured)))
  }
  #pragma hpf processors Two(2) ranks(1:2)
  // CHECK: :[[#@LINE+1]]:44: error: hpf: 'four' holds 4 sizes, expected 2, one for each processor
  #pragma hpf redistribute moved(gen_block(four)) onto Two
  // CHECK: :[[#@LINE+1]]:51: error: hpf: '5' is not the extent in line [[#@LINE-3]], expected '2'
  #pragma hpf redistribute moved(cyclic) onto Two(5)
  // It may be on P or on Two.
  #pragma hpf redistribute moved(gen_block(four))
  // CHECK: :[[#@LINE+1]]:28: error: hpf: 'elsewhere' is not distributed in this unit, expected #pragma hpf distribute
  #pragma hpf redistribute elsewhere(gen_block(sizes))
  {
    double *A = NULL;
    // CHECK: :[[#@LINE+1]]:30: error: hpf: 'A' is not distributed here
    #pragma hpf redistribute A(gen_block(sizes))
    #pragma hpf dynamic A
  }
}
void g(int n, int *sizes) {
  #pragma hpf processors P(n)
  #pragma hpf distribute global(gen_block(sizes)) onto P
}
