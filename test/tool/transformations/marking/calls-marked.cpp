// Calls in templates, lambdas and headers' inline functions are marked once, with any arguments; code
// that does not run is not marked, and an unused template is left alone.
//
// RUN: rm -rf %t
// RUN: %cxx -std=c++20 %generate %argument-output-dir=%t -Wall -Wextra -Wcomma -Wunused-value -Werror -c %s -o %t.o
// RUN: %FileCheck %s < %t/calls-marked.cpp
// RUN: llvm-nm-19 %t.o | grep -c ' sendwright_site_' | grep -x 7
//
// CHECK: {{^}}  sendwright_call(&sendwright_site_app_pass_
// CHECK-NEXT: {{^}}  return MPI_Send(&value, static_cast<int>(sizeof(Value)),
// CHECK: {{^}}  return MPI_Send(&value, 2,
// CHECK: {{^}}  static_assert(!noexcept(MPI_Send(nullptr, 3,
// CHECK-NEXT: {{^}}  decltype(MPI_Send(nullptr, 4,
// CHECK-NEXT: {{^}}  auto send = [&](int to) { return (sendwright_call(&sendwright_site_app_exchange_lambda_{{[0-9a-f]+}}), MPI_Send(
// CHECK: {{^}}  result += (sendwright_call(&sendwright_site_app_exchange_{{[0-9a-f]+}}), ::MPI_Send(&result, 6,
// CHECK: {{^}}  for (int to : values) (sendwright_call(&sendwright_site_app_exchange_{{[0-9a-f]+}}), MPI_Send(
// CHECK: {{^}}  sendwright_call(&sendwright_site_app_exchange_{{[0-9a-f]+}});
// CHECK-NEXT: {{^}}  result = MPI_Send(values.data(), static_cast<int>(values.size()),

#include <mpi.h>

#include <vector>

namespace app {
template <class Value> int pass(const Value &value, int to) {
  return MPI_Send(&value, static_cast<int>(sizeof(Value)), MPI_INT, to, 0, MPI_COMM_WORLD);
}
template <class Value> int neverUsed(const Value &value) {
  return MPI_Send(&value, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
int exchange(const std::vector<int> &values) {
  static_assert(!noexcept(MPI_Send(nullptr, 3, MPI_INT, 0, 0, MPI_COMM_WORLD)));
  decltype(MPI_Send(nullptr, 4, MPI_INT, 0, 0, MPI_COMM_WORLD)) result = 0;
  auto send = [&](int to) { return MPI_Send(&result, 5, MPI_INT, to, 0, MPI_COMM_WORLD) + 1; };
  result += send(1) + pass(1, 2) + pass('c', 2);
  result += ::MPI_Send(&result, 6, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int to : values) MPI_Send(&to, 7, MPI_INT, to, 0, MPI_COMM_WORLD);
  result = MPI_Send(values.data(), static_cast<int>(values.size()), MPI_INT, 0, 0, MPI_COMM_WORLD);
  return result;
}
} // namespace app
