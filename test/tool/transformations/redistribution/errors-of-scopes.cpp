// RUN: cd %T && %errors %cxx -std=c++20 -ferror-limit=0 %plugin -Wno-unused -c %s | %FileCheck %s --implicit-check-not=error:

namespace first {
double *field;
}
namespace second {
double *field;
}
void f(const int *sizes) {
  double *A = nullptr, *B = nullptr;
  #pragma hpf processors P(4)
  #pragma hpf dynamic A, B
  #pragma hpf distribute A(gen_block(sizes)) onto P
  auto none = [] {
    // CHECK: errors-of-scopes.cpp:[[#@LINE+1]]:28: error: hpf: 'B' belongs to the function that encloses the lambda in line [[#@LINE-1]], expected the lambda to capture by [&]
    #pragma hpf distribute B(block) onto P extent(3)
  };
  auto copy = [=]() mutable {
    // CHECK: :[[#@LINE+1]]:28: error: hpf: 'B' belongs to the function that encloses the lambda in line [[#@LINE-1]]
    #pragma hpf distribute B(block) onto P extent(3)
  };
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'A' is distributed in line [[#@LINE-9]] already, expected redistribute
  #pragma hpf distribute A(gen_block(sizes)) onto P
}
namespace first {
#pragma hpf processors P(4)
void g() {
  #pragma hpf distribute field(block) onto P extent(3)
}
} // namespace first
namespace second {
#pragma hpf processors P(4)
void g() {
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'field' is also the name of another distributed variable (line [[#@LINE-6]]), expected different names
  #pragma hpf distribute field(block) onto P extent(3)
}
} // namespace second
