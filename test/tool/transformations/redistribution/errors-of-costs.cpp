// The compiler judges costs, maps and the memory for sizes, at the directive.
//
// RUN: cd %T && cp %s unit.cpp && %errors %cxx -std=c++17 -ferror-limit=0 %plugin -Wno-unused -c unit.cpp > out; %FileCheck %s --implicit-check-not=error: < out

#include <array>
#include <string>
#include <vector>

void f(std::vector<double> &A, const std::vector<float> &costs, std::vector<long> &sizes, std::array<int, 4> &four, unsigned n) {
  #pragma hpf processors P(4)
  #pragma hpf distribute A(block) onto P extent(n)
  #pragma hpf dynamic
  #pragma hpf redistribute A(balance(costs))
  #pragma hpf redistribute A(balance(costs, sizes))
  #pragma hpf redistribute A(balance(costs, four))
  #pragma hpf redistribute A(indirect(sizes))
  const int constant[4] = {};
  const int *to_constants = constant;
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_chosen_sizes'
  #pragma hpf redistribute A(balance(costs, to_constants))
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: balance: expected an array of integers for the sizes, or a pointer to one
  #pragma hpf redistribute A(balance(costs, A))
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_balance'
  #pragma hpf redistribute A(balance(n))
  std::vector<std::string> words;
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_balance'
  #pragma hpf redistribute A(balance(words))
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_indirect'
  #pragma hpf redistribute A(indirect(costs))
}
