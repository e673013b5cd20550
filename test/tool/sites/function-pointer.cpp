// What a planned loop calls through a pointer goes through the runtime. Only the callee is edited, on
// its line; it is evaluated once, and keeps its type.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %plan_for %t/plan rewrite %cxx %s
// RUN: for standard in c++11 c++14 c++17 c++20 c++2b; do %cxx -std=$standard -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage -Wno-missing-prototypes -Wno-padded -Wno-unknown-warning-option -Wno-pre-c++20-compat-pedantic -Werror -pedantic %use=%t/plan %argument-remarks=none %argument-output-dir=%t -c %s -o %t/unit.o || exit 1; done
// RUN: %FileCheck %s < %t/function-pointer.cpp
// RUN: %clang -I%binary_root/include %mock -c %S/../inputs/batches.c -o %t/batches.o
// RUN: %cxx -O1 %use=%t/plan %argument-remarks=none -DMAIN %s %t/batches.o -o %t/program
// RUN: %t/program | %FileCheck %s --check-prefix=OUTPUT
// RUN: %cxx -O1 -DMAIN %s %t/batches.o -o %t/original && %t/original | %FileCheck %s --check-prefix=ORIGINAL
// ORIGINAL: sum 129, steps 3
// OUTPUT: sum 129, steps 3
// OUTPUT: calls 18

#include <mpi.h>
#include <cstdio>

typedef int (*Sender)(const int *value, int to);
struct Operations {
  Sender send;
};
static int steps = 0;
static const Operations *next(const Operations *operations) {
  ++steps;
  return operations;
}
template <int number, int another> Sender choice(Sender sender) {
  return number < another ? sender : nullptr;
}

template <class Function> int exchange(const int *values, int n, const Operations *operations,
                                       Function sender, int (&put)(const int *, int)) {
  int sum = 0;
  // CHECK: {{^}}  { sendwright_batch_instance(
  for (int i = 0; i < n; i++) {
    // CHECK: {{^}}    sum += sendwright_checked(operations->send)(values, i);
    sum += operations->send(values, i);
    // CHECK: {{^}}    sum += sendwright_checked((*sender))(values, i) + (sendwright_checked(put)(values, i) < 0 ? 1 : 0);
    sum += (*sender)(values, i) + (put(values, i) < 0 ? 1 : 0);
    // CHECK: {{^}}    sum += sendwright_checked(next(operations)->send)(values, i);
    sum += next(operations)->send(values, i);
    // CHECK: {{^}}    sum += sendwright_checked(choice<1, 2>(sender))(values, sendwright_checked(sender)(values, i));
    sum += choice<1, 2>(sender)(values, sender(values, i));
    // CHECK: {{^}}    sum += int(sizeof(sender(values, i)));
    sum += int(sizeof(sender(values, i)));
    MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  return sum;
}

static int put(const int *value, int to) { return *value + to; }

int all(const int *value, const Operations *operations) {
  return exchange(value, 3, operations, &put, put);
}

#ifdef MAIN
int main() {
  const int value = 7;
  const Operations operations = {put};
  const int sum = all(&value, &operations);
  std::printf("sum %d, steps %d\n", sum, steps);
}
#endif
