// Some messages in one loop, some in another, the last in a statement: a scope reaches from the first
// loop to the statement. The plans of these tests rewrite every site, so the loops get scopes, too:
// inside it.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others - 2; k++)
// CHECK: {{^}}+  }
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = others - 2; k < others - 1; k++)
// CHECK: {{^}}+  }
// CHECK: {{^}}     MPI_Send(outbox[peers[others - 1]]
// CHECK-NEXT: {{^}}+  }
// CHECK-NOT: sendwright_batch
// RUN: %FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK-DAG: loops-in-a-row.c:[[#@LINE+7]]:3: remark: block of 1 send and 2 send loops reordered by 'message-ordering':
// REMARK-DAG: loops-in-a-row.c:[[#@LINE+6]]:3: remark: send loop reordered by 'message-ordering':

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < others - 2; k++)
    MPI_Isend(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD, &sends[send_count++]);
  for (int k = others - 2; k < others - 1; k++)
    MPI_Isend(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD, &sends[send_count++]);
  if (others > 0)
    MPI_Send(outbox[peers[others - 1]], lengths[peers[others - 1]], MPI_INT, peers[others - 1], 0, MPI_COMM_WORLD);
  return finish();
}
