// Ranks and empty messages are skipped by conditions.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int peer = 0; peer < ranks; ++peer)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank)
      if (lengths[peer] > 0) MPI_Send(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD);
      else MPI_Abort(MPI_COMM_WORLD, 1);
  return finish();
}
