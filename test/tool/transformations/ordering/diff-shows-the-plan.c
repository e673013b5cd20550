// The diff shows the scope on its own lines, and above it what the plan does there and why.
//
// RUN: %plan_for %t.plan rewrite %cc %s
// RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock | %FileCheck %s
// RUN: %sendwright rewrite %s --plan %t.plan -- %mock 2> %t.remarks | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=REMARK < %t.remarks
//
// CHECK: --- {{.*}}diff-shows-the-plan.c
// CHECK-NEXT: +++ {{.*}}diff-shows-the-plan.c (rewritten)
// CHECK: {{^}}+#include <sendwright/runtime.h>
// CHECK: {{^}}+  /* message-ordering: max c'_p 31 -> 24 sends (lower bound 24), predicted gain 12.3 us (22.6 %) per execution
// CHECK-NEXT: {{^}}+     pre-communication, 2 to 3 sends a rank; key: work + sends that follow
// CHECK-NEXT: {{^}}+     messages are small
// CHECK-NEXT: {{^}}+     rank 0 sends to 3 1 2
// CHECK: {{^}}+     rank 3 sends to 2 0 1 */
// CHECK-NEXT: {{^}}+  { sendwright_batch(sendwright_site_exchange_{{[0-9a-f]+}}{{(_stable)?}});
// CHECK-NEXT: {{^}}   for (int i = 0; i < n; i++)
// CHECK-NEXT: {{^}}     MPI_Send(
// CHECK-NEXT: {{^}}+  }

#include <mpi.h>

void exchange(const int *values, const int *peers, int n) {
  // REMARK: diff-shows-the-plan.c:[[#@LINE+1]]:3: remark: send loop reordered by 'message-ordering': max c'_p 31 -> 24 sends (lower bound 24), predicted gain 12.3 us (22.6 %) per execution
  for (int i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
}
