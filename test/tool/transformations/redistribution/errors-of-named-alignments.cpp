// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <memory>
#include <vector>

#pragma hpf processors P(4)

void f(int n, double *parameter) {
  double *A = nullptr;
  std::unique_ptr<double[]> owner;
  std::vector<bool> bits;
  #pragma hpf template T(n)
  #pragma hpf distribute A(block) onto P extent(n)
  // CHECK: errors-of-named-alignments.cpp:[[#@LINE+1]]:21: error: hpf: 'T' is a template, which has no elements, expected an array
  #pragma hpf align T(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'parameter' is a parameter, a copy of the caller's variable, which would not name the new block; expected the caller's own variable or, in C++, a reference to it
  #pragma hpf align parameter(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'owner' is of type 'std::unique_ptr<double[]>', whose memory must not be passed to free(), expected a pointer to this rank's block in memory from malloc(), a std::vector, or an array
  #pragma hpf align owner(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'bits' is of type 'std::vector<bool>', whose elements are bits, expected elements that have an address
  #pragma hpf align bits(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'nothing' is not declared here, expected a variable that is declared earlier
  #pragma hpf align nothing(i) with A(i)
}
