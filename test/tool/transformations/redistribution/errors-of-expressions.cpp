// The compiler judges what stands in brackets, and its error is at the directive.
//
// RUN: cd %T && cp %s unit.cpp && %errors %cxx -std=c++17 -ferror-limit=0 %plugin -Wno-unused -c unit.cpp > %t.out; %FileCheck %s --implicit-check-not=error: < %t.out
// RUN: sed 's/nullptr/0/; /vector/d' %s > unit.c && cd %T && cp %s unit.cpp
//
#include <vector>
void f(double *&A, double *&B, double *&C, double *&D, double *&E, int n) {
  double wrong[4];
  std::vector<double> no_integers;
  #pragma hpf dynamic A
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'undeclared'
  #pragma hpf processors P(undeclared)
  #pragma hpf processors Q(4)
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'nowhere'
  #pragma hpf distribute A(gen_block(nowhere)) onto Q
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_gen_block'
  #pragma hpf distribute B(gen_block(wrong)) onto Q
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_gen_block'
  #pragma hpf distribute C(gen_block(no_integers)) onto Q
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: expected expression
  #pragma hpf distribute D(gen_block(n +)) onto Q
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error:
  #pragma hpf distribute E(block) onto Q extent(E)
}
template <typename Variable> void generic(Variable &A) {
  #pragma hpf processors Q(4)
  // CHECK: unit.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'sendwright_storage_of'
  #pragma hpf distribute A(block) onto Q extent(4)
}
void g(const double *constants) { generic(constants); }
