// The sends are in the inner of two loops, which is the send loop.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+    { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}     for (int k = part; k < others; k += 2)
// CHECK: {{^}}+    }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int part = 0; part < 2; ++part)
    for (int k = part; k < others; k += 2)
      MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
  return finish();
}
