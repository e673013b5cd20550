// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <stdlib.h>
#define RANKS 4
const int six[6] = {1, 2, 3, 4, 5, 6};
static const long four[RANKS] = {10, 10, 0, 5}, below[RANKS] = {1, -2, 3, 4};
int unknown[RANKS];

void f(int n, int *sizes) {
  #pragma hpf processors P(RANKS)
  #pragma hpf processors Grid(2, 3)
  double *A = NULL;
  float(*rows)[7] = NULL;
  { // CHECK: errors-of-distributions.c:[[#@LINE+1]]:5: error: hpf: names no processors, expected onto PROCESSORS
    #pragma hpf distribute A(gen_block(sizes))
  }
  { // CHECK: :[[#@LINE+1]]:53: error: hpf: 'Q' are not processors that are declared here, expected #pragma hpf processors Q(...) before
    #pragma hpf distribute A(gen_block(sizes)) onto Q
  }
  { // CHECK: :[[#@LINE+1]]:30: error: hpf: found 1 distributed dimension, expected 2, as many as processors 'Grid' have
    #pragma hpf distribute A(gen_block(sizes)) onto Grid
  }
  { // CHECK: :[[#@LINE+1]]:55: error: hpf: '5' is not the extent in line [[#@LINE-13]], expected 'RANKS'
    #pragma hpf distribute A(gen_block(sizes)) onto P(5)
  }
  {
    #pragma hpf distribute A(gen_block(sizes)) onto P(4)
  }
  { // CHECK: :[[#@LINE+1]]:30: error: hpf: the extent of this dimension is not known, expected extent(N)
    #pragma hpf distribute A(block) onto P
  }
  { // CHECK: :[[#@LINE+1]]:48: error: hpf: the extent of this dimension is not known, expected extent(N, M)
    #pragma hpf distribute A(gen_block(sizes), *) onto P
  }
  { // CHECK: :[[#@LINE+1]]:62: error: hpf: found 2 extents, expected 1, one for each dimension
    #pragma hpf distribute A(gen_block(sizes)) onto P extent(n, n)
  }
  { // CHECK: :[[#@LINE+1]]:51: error: hpf: '-5' is negative, expected the elements in that dimension
    #pragma hpf distribute A(block) onto P extent(-5)
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: 'six' holds 6 sizes, expected 4, one for each processor
    #pragma hpf distribute A(gen_block(six)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: 'nothing' is not declared here, expected an array of integers, or a pointer to one
    #pragma hpf distribute A(gen_block(nothing)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: 'below' holds -2 at [1], expected sizes of at least 0
    #pragma hpf distribute A(gen_block(below)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: 'four' sums to 25, expected at least the extent of 26
    #pragma hpf distribute A(gen_block(four)) onto P extent(26)
  }
  {
    #pragma hpf distribute A(gen_block(four)) onto P extent(20)
  }
  {
    #pragma hpf distribute A(gen_block(unknown)) onto P extent(RANKS * 5)
  }
  { // CHECK: :[[#@LINE+1]]:36: error: hpf: '3' on each of 4 processors holds 12 elements, expected at least the extent of 13
    #pragma hpf distribute A(block(3)) onto P extent(13)
  }
  { // CHECK: :[[#@LINE+1]]:37: error: hpf: '0' is 0, expected at least one element
    #pragma hpf distribute A(cyclic(0)) onto P extent(13)
  }
  { // CHECK: :[[#@LINE+1]]:39: error: hpf: 'six' names the processors of 6 indices, expected as many as the extent of 7
    #pragma hpf distribute A(indirect(six)) onto P extent(7)
  }
  { // CHECK: :[[#@LINE+1]]:39: error: hpf: 'six' holds 4 at [3], expected a processor, 0 to 3
    #pragma hpf distribute A(indirect(six)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:39: error: hpf: 'nothing' is not declared here, expected an array of integers, or a pointer to one
    #pragma hpf distribute A(indirect(nothing)) onto P
  }
  {
    #pragma hpf distribute A(indirect(unknown)) onto P extent(RANKS)
  }
  double whole[12], square[5][5];
  { // CHECK: :[[#@LINE+1]]:34: error: hpf: 'whole' has 1 dimension, as its type says, found 2
    #pragma hpf distribute whole(block, *) onto P extent(12, 2)
  }
  { // CHECK: :[[#@LINE+1]]:55: error: hpf: '13' is 13, expected 12, as the type of 'whole' says
    #pragma hpf distribute whole(block) onto P extent(13)
  }
  { // CHECK: :[[#@LINE+1]]:44: error: hpf: 'below' holds -2 at [1]
    #pragma hpf distribute whole(gen_block(below)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: '2' on each of 4 processors holds 8 elements, expected at least the extent of 12
    #pragma hpf distribute whole(block(2)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:29: error: hpf: 'A' does not say its extents as 'whole' does, expected a directive of its own
    #pragma hpf distribute (block) onto P :: whole, A
  }
  {
    #pragma hpf distribute square(block, cyclic) onto Grid
  }
  float (*cubes)[7][8] = NULL;
  { // CHECK: :[[#@LINE+1]]:34: error: hpf: 'cubes' points to rows and has 3 dimensions, found 2, expected (FORMAT, *, *)
    #pragma hpf distribute cubes(block, *) onto P extent(n, *)
  }
  { // CHECK: :[[#@LINE+1]]:40: error: hpf: the rows of 'cubes' have the same length on every rank, as its type says, expected *
    #pragma hpf distribute cubes(*, *, block) onto P extent(n, *, *)
  }
  { // CHECK: :[[#@LINE+1]]:30: error: hpf: the extent of this dimension is not known, expected extent(N, M, K)
    #pragma hpf distribute A(block, *, *) onto P extent(*, n, n)
  }
  { // CHECK: :[[#@LINE+1]]:33: error: hpf: 'rows' points to rows and has two dimensions, found one, expected (FORMAT, *)
    #pragma hpf distribute rows(gen_block(sizes)) onto P
  }
  { // CHECK: :[[#@LINE+1]]:36: error: hpf: the rows of 'rows' have the same length on every rank, as its type says, expected *
    #pragma hpf distribute rows(*, gen_block(sizes)) onto P extent(n, *)
  }
}
