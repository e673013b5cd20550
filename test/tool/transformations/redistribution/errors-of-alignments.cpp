// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <vector>

#pragma hpf processors P(4)
#pragma hpf processors Q(2, 2)

void along(int n) {
  double *A = nullptr, *M = nullptr, *B = nullptr;
  double whole[20], longer[21];
  double (*rows)[5] = nullptr;
  std::vector<float> list;
  #pragma hpf template T(20)
  #pragma hpf distribute A(block) onto P extent(20)
  #pragma hpf distribute M(block, block) onto Q extent(n, n)
  #pragma hpf distribute T(block) onto P
  {
    // CHECK: errors-of-alignments.cpp:[[#@LINE+1]]:35: error: hpf: found 2 dimensions, expected 1, as 'A' has
    #pragma hpf align B(i) with A(i, *)
  }
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: nothing lies along dimension 2 of 'M', which is divided, so each processor would have a copy; expected an index for it, or * as its format
    #pragma hpf align B(i) with M(i, *)
  }
  {
    // CHECK: :[[#@LINE+1]]:36: error: hpf: the divided dimensions of 'M' come in another order, expected the same order
    #pragma hpf align B(i, j) with M(j, i)
  }
  {
    // CHECK: :[[#@LINE+1]]:30: error: hpf: the extent of this dimension is 21, expected at most 20, as far as 'T' reaches
    #pragma hpf align longer(i) with T(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:29: error: hpf: the extent of this dimension is 20, expected at most 18, as far as 'A' reaches
    #pragma hpf align whole(i) with A(i + 2)
  }
  {
    #pragma hpf align list(i) with A(i + 3)
    // CHECK: :[[#@LINE+1]]:29: error: hpf: the extent of this dimension is 20, expected at most 17, as far as 'list' reaches
    #pragma hpf align whole(i) with list(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:42: error: hpf: '-1' is -1, expected at least 0
    #pragma hpf align list(i) with T(i + -1)
  }
  {
    // CHECK: :[[#@LINE+1]]:31: error: hpf: the rows of 'rows' have the same length on every rank, as its type says, expected *
    #pragma hpf align rows(i, j) with M(i, j)
  }
  {
    // CHECK: :[[#@LINE+1]]:28: error: hpf: 'rows' points to rows and has two dimensions, found one, expected (FORMAT, *)
    #pragma hpf align rows(i) with A(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:29: error: hpf: 'whole' has 1 dimension, as its type says, found 2
    #pragma hpf align whole(i, *) with A(i) extent(*, 3)
  }
}
