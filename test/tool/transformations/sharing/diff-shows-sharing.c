// A loop whose messages are shared gets the same scope as a reordered loop. The diff and the remark
// say how its messages travel: the method, its gain, and what each rank sends and passes on.
//
// RUN: %plan_for %t.plan share %cc %s
// RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock | %FileCheck %s
// RUN: %cc %use=%t.plan -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=REMARK
//
// CHECK: {{^}}+  /* message-sharing: store-and-forward in 2 dimensions, messages of the busiest rank 6 -> 4, predicted gain 12.3 us (22.6 %) per execution
// CHECK-NEXT: {{^}}+     2 stages; a rank sends 3 -> 2 messages on average, at most 3 -> 2, and 1.5 times the bytes
// CHECK-NEXT: {{^}}+     messages travel through other ranks
// CHECK-NEXT: {{^}}+     rank 0 sends to 1, then 2; passes on 1 message
// CHECK-NEXT: {{^}}+     rank 1 sends to 0, then 3; passes on 1 message
// CHECK: {{^}}+     rank 3 sends to 2, then 1; passes on 1 message */
// CHECK-NEXT: {{^}}+  { sendwright_batch(sendwright_site_exchange_{{[0-9a-f]+}}{{(_stable)?}});
// CHECK-NEXT: {{^}}   for (int i = 0; i < n; i++)
// CHECK-NEXT: {{^}}     MPI_Send(
// CHECK-NEXT: {{^}}+  }

#include <mpi.h>

void exchange(const int *values, const int *peers, int n) {
  // REMARK: diff-shows-sharing.c:[[#@LINE+1]]:3: remark: send loop shared by 'message-sharing': store-and-forward in 2 dimensions, messages of the busiest rank 6 -> 4, predicted gain 12.3 us (22.6 %) per execution
  for (int i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
}
