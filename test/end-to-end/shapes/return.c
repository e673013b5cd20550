// The loop is left by return, with sends held back.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_send_all_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0;; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
static int send_all(void) {
  for (int k = 0;; ++k) {
    if (k == others)
      return k;
    MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  if (send_all() != others)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return finish();
}
