// The loop is left by an exception, with sends held back.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+    { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}     for (int k = 0;; ++k) {
// CHECK: {{^}}+    }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  try {
    for (int k = 0;; ++k) {
      if (k == others)
        throw k;
      MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
    }
  } catch (int sent) {
    if (sent != others)
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return finish();
}
