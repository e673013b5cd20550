// The runtime finds in the object's table which virtual function a call in a planned loop runs: only the
// object is edited, on its line, and it is evaluated once. A call that cannot be edited like this is left.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %plan_for %t/plan rewrite %cxx %s
// RUN: for standard in c++11 c++14 c++17 c++20 c++2b; do %cxx -std=$standard -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage -Wno-missing-prototypes -Wno-padded -Wno-weak-vtables -Wno-unknown-warning-option -Wno-pre-c++20-compat-pedantic -Werror -pedantic %use=%t/plan %argument-remarks=none %argument-output-dir=%t -c %s -o %t/unit.o || exit 1; done
// RUN: %FileCheck %s < %t/virtual-function.cpp
// RUN: %cxx %use=%t/plan %argument-remarks=all -c %s -o %t/unit.o 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %clang -I%binary_root/include %mock -c %S/../inputs/batches.c -o %t/batches.o
// RUN: for flags in -O0 "-O2 -fno-rtti" -fPIC; do \
// RUN:   %cxx $flags %use=%t/plan %argument-remarks=none -DMAIN %s %t/batches.o -o %t/program && %t/program | %FileCheck %s --check-prefix=OUTPUT || { echo $flags; exit 1; }; done
// RUN: %cxx -O1 -DMAIN %s %t/batches.o -o %t/original && %t/original | %FileCheck %s --check-prefix=ORIGINAL
// ORIGINAL: sum 36
// OUTPUT: sum 36
// OUTPUT: calls 12

#include <mpi.h>
#include <cstdio>

struct Transport {
  virtual ~Transport() = default;
  virtual int put(int to) const = 0;
  virtual int again(int to);
};
struct Other {
  virtual ~Other() = default;
  virtual int third(int to) { return 3 * to; }
};
struct Row : Transport {
  int put(int to) const override { return to; }
  int again(int to) override { return 2 * to; }
};
struct Wide : Row, Other {
  int put(int to) const override { return 4 * to; }
};
struct Handle {
  Transport *transport;
  Transport *operator->() const { return transport; }
};
int Transport::again(int to) { return -to; }

#define PUT(transport, i) (transport).put(i)

int exchange(const int *values, int n, const Transport &row, Transport *const *all) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    // CHECK: {{^}}    sum += sendwright_checked_object(2, row).put(i);
    sum += row.put(i);
    // CHECK: {{^}}    sum += sendwright_checked_pointer(3, all[0])->again(i) + sendwright_checked_object(2, (*all[1])).put(i);
    sum += all[0]->again(i) + (*all[1]).put(i);
    // CHECK: {{^}}    sum += all[1]->Transport::again(i);
    sum += all[1]->Transport::again(i);
    MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  return sum;
}

int left(const int *values, int n, Transport *row, Wide *wide, Handle handle) {
  int sum = 0;
  // REMARK: :[[#@LINE+1]]:3: remark: send loop left as written: calls the virtual function 'put' within a macro
  for (int i = 0; i < n; i++) {
    sum += PUT(*row, i);
    MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  // REMARK: :[[#@LINE+1]]:3: remark: send loop left as written: calls the virtual function 'third', whose object cannot be passed to the runtime
  for (int i = 0; i < n; i++) {
    sum += wide->third(i);
    MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  // REMARK: :[[#@LINE+1]]:3: remark: send loop left as written: calls the virtual function 'again', whose object cannot be passed to the runtime
  for (int i = 0; i < n; i++) {
    sum += handle->again(i);
    MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  return sum;
}

#ifdef MAIN
int main() {
  const int value = 7;
  Row row;
  Wide wide;
  Transport *const all[] = {&row, &wide};
  std::printf("sum %d\n", exchange(&value, 4, row, all));
  return left(&value, 0, &row, &wide, Handle{&row});
}
#endif
