// The buffer is a pointer that advances by the length of each message.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int all[ranks * room], *to = all;
  for (int k = 0; k < others; ++k)
    for (int j = 0; j < lengths[peers[k]]; ++j)
      *to++ = outbox[peers[k]][j];
  const int *from = all;
  for (int k = 0; k < others; ++k) {
    MPI_Send(from, lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
    from += lengths[peers[k]];
  }
  return finish();
}
