// The body goes on to the next message by continue.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   while (++peer < ranks) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int peer = -1;
  while (++peer < ranks) {
    if (peer == rank)
      continue;
    MPI_Isend(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD, &sends[send_count++]);
  }
  return finish();
}
