// A loop that suspends a coroutine may go on in another thread: it stays as it is. A coroutine's
// loop that does not suspend is rewritten.
//
// RUN: %cxx -std=c++20 %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: grep -c '^ *{ sendwright_mark' %t/left-coroutine.cpp | grep -x 1
//

#include <coroutine>
#include <mpi.h>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
Task run(int n) {
  for (int i = 0; i < n; i++)
    MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  // REMARK: left-coroutine.cpp:[[#@LINE+1]]:3: remark: send loop left as written: the loop suspends a coroutine
  for (int i = 0; i < n; i++) {
    MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    co_await std::suspend_always();
  }
}
// REMARK-NOT: remark:
