// The calls are made by a function in another file.
//
// RUN: %same_c %s %S/inputs/checked_isend.c && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
int checked_isend(void *buffer, int count, int peer, MPI_Request *request);

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < others; ++k)
    checked_isend(outbox[peers[k]], lengths[peers[k]], peers[k], &sends[send_count++]);
  return finish();
}
