// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)
#pragma hpf dynamic

void f(int n) {
  double *A = nullptr, *B = nullptr, *C = nullptr;
  int *costs = nullptr;
  #pragma hpf distribute A(block, *) onto P extent(n, n)
  #pragma hpf align B(i, *) with A(i, *) extent(*, 3)
  #pragma hpf align C(i) with B(i, *)
  // CHECK: errors-of-redistributed-alignments.cpp:[[#@LINE+1]]:28: error: hpf: 'B' is aligned with 'A' in line [[#@LINE-2]] and moves with it, expected redistribute of 'A', or realign
  #pragma hpf redistribute B(cyclic, *)
  // CHECK: :[[#@LINE+1]]:46: error: hpf: 'C' is aligned with 'B' in line [[#@LINE-3]] and moves with it, expected redistribute of 'B', or realign
  #pragma hpf redistribute (block) onto P :: C
  // CHECK: :[[#@LINE+1]]:30: error: hpf: 'B' is aligned with 'A' in line [[#@LINE-6]]: nothing lies along dimension 2 of 'A', which is divided, so each processor would have a copy; expected an index for it, or * as its format
  #pragma hpf redistribute A(*, block)
  #pragma hpf redistribute A(balance(costs), *)
}

// Also where only some directive in the unit distributes the array so.
void later(int n) {
  double *A = nullptr, *B = nullptr;
  #pragma hpf distribute A(block, *) onto P extent(n, n)
  #pragma hpf redistribute A(*, block)
  #pragma hpf align B(j) with A(*, j)
  #pragma hpf redistribute A(*, cyclic)
}
