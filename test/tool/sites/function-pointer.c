/* Calls through pointers in C, in every standard, with all warnings as errors: the check has the callee's
   type, and moves nothing.

   RUN: rm -rf %t && mkdir %t
   RUN: %plan_for %t/plan rewrite %cc -std=c89 %s
   RUN: for standard in c89 gnu89 c99 c11 c17 gnu17 c2x; do \
   RUN:   %cc -std=$standard -pedantic -Weverything -Wno-unsafe-buffer-usage -Wno-padded -Wno-declaration-after-statement -Wno-unknown-warning-option -Wno-pre-c2x-compat -Werror %use=%t/plan %argument-remarks=none %argument-output-dir=%t -c %s -o %t/unit.o || exit 1; \
   RUN: done
   RUN: %FileCheck %s < %t/function-pointer.c
   RUN: llvm-nm-19 -u %t/unit.o | grep sendwright_called

   A build to be profiled has the checks, too: its run may learn. Not in a loop that does not send itself.

   RUN: %cc %generate -c %s -o %t/unit.o && llvm-nm-19 -u %t/unit.o | grep sendwright_called
   RUN: %cc -DOTHER_UNITS_SEND %generate -c %s -o %t/unit.o && ! llvm-nm-19 -u %t/unit.o | grep sendwright_called

   CHECK: {{^}}    if (sendwright_checked(operations->send)(&values[i], peers[i])) break;
   CHECK: {{^}}    sendwright_checked((*senders[k++]))(values, 1); sendwright_checked((k > 1 ? senders[0] : senders[1]))(values, 1);
   CHECK: {{^}}    sendwright_checked((*current)) (values, 1); sendwright_checked(operations -> done)();
*/

#include <mpi.h>

typedef int (*sender)(const int *value, int to);
struct operations {
  sender send;
  void (*done)(void);
};
void exchange(const int *values, const int *peers, int n, struct operations *operations,
              const sender *senders, sender volatile *current);

void exchange(const int *values, const int *peers, int n, struct operations *operations,
              const sender *senders, sender volatile *current) {
  int i, k = 0;
  for (i = 0; i < n; i++) {
    if (operations->send(&values[i], peers[i])) break;
    (*senders[k++])(values, 1); (k > 1 ? senders[0] : senders[1])(values, 1);
    (*current) (values, 1); operations -> done();
#ifndef OTHER_UNITS_SEND
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
#endif
  }
}
