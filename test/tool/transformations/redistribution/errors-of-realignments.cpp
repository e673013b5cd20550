// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)

double *kept;
void f(int n) {
  double *A = nullptr, *B = nullptr, *C = nullptr, *D = nullptr, *M = nullptr, *fixed = nullptr;
  #pragma hpf template T(n)
  #pragma hpf distribute T(block) onto P
  #pragma hpf distribute (block) onto P extent(20) :: A, C, kept
  #pragma hpf distribute M(*, block) onto P extent(20, 30)
  #pragma hpf align B(i) with A(i)
  #pragma hpf align D(i) with B(i)
  #pragma hpf align fixed(i) with A(i)
  #pragma hpf dynamic A, B, C, D, M, kept
  // CHECK: errors-of-realignments.cpp:[[#@LINE+1]]:23: error: hpf: 'fixed' is not dynamic, expected #pragma hpf dynamic fixed
  #pragma hpf realign fixed(i) with C(i)
  // CHECK: :[[#@LINE+1]]:23: error: hpf: 'T' is a template, which has no elements, expected an array
  #pragma hpf realign T(i) with C(i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: 'B' is aligned with itself, expected another array
  #pragma hpf realign B(i) with B(i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: 'D' moves with 'A' (line [[#@LINE-10]]), expected an array that does not
  #pragma hpf realign A(i) with D(i)
  // CHECK: :[[#@LINE+1]]:25: error: hpf: 'B' has 1 dimension (line [[#@LINE-12]]), found 2
  #pragma hpf realign B(i, *) with C(i)
  // CHECK: :[[#@LINE+1]]:35: error: hpf: found 1 dimension, expected 2, as 'M' has
  #pragma hpf realign C(i) with M(i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: nothing lies along dimension 2 of 'M', which is divided, so each processor would have a copy; expected an index for it, or * as its format
  #pragma hpf realign C(i) with M(i, *)
  // CHECK: :[[#@LINE+1]]:25: error: hpf: the extent of this dimension is 20, expected at most 19, as far as 'A' reaches
  #pragma hpf realign C(i) with A(i + 1)
  // CHECK: :[[#@LINE+1]]:36: error: hpf: 'C' ends with its block, but 'kept' does not, expected an array that lives as long
  #pragma hpf realign kept(i) with C(i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: 'f' is not a variable, expected a pointer to this rank's block in memory from malloc(), a std::vector, or an array
  #pragma hpf realign C(i) with f(i)
}
