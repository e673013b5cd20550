// A call through a pointer that cannot be edited, or whose target the runtime cannot be told, leaves its
// loop as written.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %plan_for %t/plan rewrite %cxx %s
// RUN: %cxx %use=%t/plan %argument-remarks=all -c %s -o %t/unit.o 2>&1 | %FileCheck %s
// RUN: ! llvm-nm-19 %t/unit.o | grep 'sendwright_batch_begin\|sendwright_called'

#include <mpi.h>

typedef int (*Sender)(const int *value, int to);
#define SEND(i) MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD)
#define CALL(f, i) f(values, i)
#define CHECK_CALL(call) if ((call) < 0) throw #call

struct Table {
  Sender send;
  int put(const int *values, int to) const;
  int get(const int *values, int to);
};

static int sent(const int *values, Sender send, int i) { return send(values, i); }

template <class Function> int each(const int *values, int n, Function call) {
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls through a function pointer in one instantiation but not in another
  for (int i = 0; i < n; i++) {
    call(values, i);
    SEND(i);
  }
  return 0;
}

void exchange(const int *values, int n, Table &table, Sender send, int (Table::*member)(const int *, int)) {
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls through a function pointer within a macro
  for (int i = 0; i < n; i++) {
    CALL(send, i);
    SEND(i);
  }
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls through a function pointer within a macro
  for (int i = 0; i < n; i++) {
    CHECK_CALL(send(values, i));
    SEND(i);
  }
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls through a function pointer that is written on several lines
  for (int i = 0; i < n; i++) {
    table
        .send(values, i);
    SEND(i);
  }
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls through a pointer to a member within a macro
  for (int i = 0; i < n; i++) {
    CALL((table.*member), i);
    SEND(i);
  }
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: send loop left as written: calls sent, which calls through a function pointer{{$}}
  for (int i = 0; i < n; i++) {
    sent(values, send, i);
    SEND(i);
  }
  each(values, n, send);
  each(values, n, [](const int *, int) {});
}
