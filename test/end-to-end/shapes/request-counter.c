// The call itself increments the index of the request.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < others; ++k)
    MPI_Isend(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD, &sends[send_count++]);
  return finish();
}
