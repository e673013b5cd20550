// Statements that declare what is used after them: the scope has no braces, and a call closes it.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  sendwright_batch([[SITE:sendwright_site_main_[0-9a-f]+(_stable)?]]);
// CHECK-NEXT: {{^}}   int first = MPI_Isend(
// CHECK: {{^}}   MPI_Send(outbox[to]
// CHECK-NEXT: {{^}}+  sendwright_batch_end(&[[SITE]]_scope);
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int first = MPI_Isend(outbox[peers[0]], lengths[peers[0]], MPI_INT, peers[0], 0, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(outbox[peers[1]], lengths[peers[1]], MPI_INT, peers[1], 0, MPI_COMM_WORLD, &sends[1]);
  int to = peers[2], own = outbox[to][0];
  MPI_Send(outbox[to], lengths[to], MPI_INT, to, 0, MPI_COMM_WORLD);
  outbox[to][0] = own + 1;
  send_count = first == MPI_SUCCESS ? 2 : 0;
  return finish();
}
