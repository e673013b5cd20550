// Messages are packed one after another while others are under way.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  static int buffer[ranks * room];
  int cursor = 0;
  for (int k = 0; k < others; ++k) {
    const int start = cursor;
    for (int j = 0; j < lengths[peers[k]]; ++j)
      buffer[cursor++] = outbox[peers[k]][j] + 7;
    MPI_Isend(buffer + start, cursor - start, MPI_INT, peers[k], 0, MPI_COMM_WORLD, &sends[send_count++]);
  }
  return finish();
}
