// Every message is packed into the same buffer and sent from there.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int buffer[room];
  for (int k = 0; k < others; ++k) {
    for (int j = 0; j < lengths[peers[k]]; ++j)
      buffer[j] = outbox[peers[k]][j] + 7;
    MPI_Send(buffer, lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
  }
  for (int j = 0; j < room; ++j)
    buffer[j] = -1;
  return finish();
}
