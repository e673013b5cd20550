// The destinations are computed from the index.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int shift = 1; shift < ranks; ++shift)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int shift = 1; shift < ranks; ++shift)
    MPI_Send(outbox[(rank + shift) % ranks], lengths[(rank + shift) % ranks], MPI_INT, (rank + shift) % ranks, 0, MPI_COMM_WORLD);
  return finish();
}
