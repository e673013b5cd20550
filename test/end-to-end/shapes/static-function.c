// The loop is in a static function that is called twice, with different destinations.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_send_to_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < n; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
static void send_to(const int *to, int n) {
  for (int k = 0; k < n; ++k)
    MPI_Send(outbox[to[k]], lengths[to[k]], MPI_INT, to[k], 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  send_to(peers, 1);
  send_to(peers + 1, others - 1);
  return finish();
}
