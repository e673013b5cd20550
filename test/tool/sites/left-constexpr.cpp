// Code that the compiler evaluates holds no scopes: loops in constexpr functions stay as they are.
// Lambdas, which are constexpr implicitly, are rewritten.
//
// RUN: %cxx -std=c++20 %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %FileCheck %s < %t/left-constexpr.cpp
//
// CHECK: {{^}}constexpr int triangle(int n, bool tell) {
// CHECK-NOT: sendwright_mark
// CHECK: sendwright_mark(sendwright_site_rest_lambda_
// CHECK-NOT: sendwright_mark

#include <mpi.h>
constexpr int triangle(int n, bool tell) {
  int sum = 0;
  // REMARK: left-constexpr.cpp:[[#@LINE+1]]:3: remark: send loop left as written: the function is constexpr
  for (int i = 0; i <= n; i++) {
    if (tell)
      MPI_Send(&sum, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    sum += i;
  }
  return sum;
}
static_assert(triangle(3, false) == 6);
void rest(int n) {
  const auto send = [](int to) {
    for (int i = 0; i < to; i++)
      MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  };
  send(n);
}
// REMARK-NOT: remark:
