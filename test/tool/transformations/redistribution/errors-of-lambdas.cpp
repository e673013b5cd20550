// RUN: cd %T && %errors %cxx -std=c++20 -ferror-limit=0 %plugin -Wno-unused -c %s | %FileCheck %s --implicit-check-not=error:

void f(const int *sizes) {
  double *A = nullptr;
  #pragma hpf processors P(4)
  #pragma hpf dynamic A
  #pragma hpf distribute A(gen_block(sizes)) onto P
  auto explicit_capture = [&A, sizes] {
    // CHECK: errors-of-lambdas.cpp:[[#@LINE+1]]:30: error: hpf: 'A' belongs to the function that encloses the lambda in line [[#@LINE-1]], expected the lambda to capture by [&]
    #pragma hpf redistribute A(gen_block(sizes))
  };
}
