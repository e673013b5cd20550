// The loop is left by goto, and another goto inside continues it.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < ranks; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < ranks; ++k) {
    if (k == others)
      goto done;
    if (lengths[peers[k]] == 0)
      goto next;
    MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
  next:;
  }
  MPI_Abort(MPI_COMM_WORLD, 1);
done:;
  return finish();
}
