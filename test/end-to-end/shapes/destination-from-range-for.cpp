// The loop is a range-for, with an initialiser.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int tag = 0; const int peer : peers)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int tag = 0; const int peer : peers)
    MPI_Send(outbox[peer], lengths[peer], MPI_INT, peer, tag, MPI_COMM_WORLD);
  return finish();
}
