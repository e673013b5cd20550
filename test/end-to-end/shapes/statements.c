// A statement for each neighbour, some under a condition, instead of a loop: one scope reaches from
// the first send to the last.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   MPI_Isend(outbox[peers[0]]
// CHECK: {{^}}   if (others > 2)
// CHECK-NEXT: {{^}}     MPI_Send(outbox[peers[2]]
// CHECK-NEXT: {{^}}+  }
// CHECK-NOT: sendwright_batch
// RUN: %FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: statements.c:[[#@LINE+7]]:3: remark: block of 3 sends reordered by 'message-ordering':
// REMARK-NOT: remark:

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  MPI_Isend(outbox[peers[0]], lengths[peers[0]], MPI_INT, peers[0], 0, MPI_COMM_WORLD, &sends[send_count++]);
  if (others > 1)
    MPI_Isend(outbox[peers[1]], lengths[peers[1]], MPI_INT, peers[1], 0, MPI_COMM_WORLD, &sends[send_count++]);
  if (others > 2)
    MPI_Send(outbox[peers[2]], lengths[peers[2]], MPI_INT, peers[2], 0, MPI_COMM_WORLD);
  return finish();
}
