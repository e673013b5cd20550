// Each send is paired with the receive from the same rank, posted in the same loop.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k) {
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int more[ranks];
  MPI_Request posted[others];
  for (int k = 0; k < others; ++k) {
    MPI_Irecv(&more[peers[k]], 1, MPI_INT, peers[k], 1, MPI_COMM_WORLD, &posted[k]);
    MPI_Isend(&outbox[peers[k]][0], 1, MPI_INT, peers[k], 1, MPI_COMM_WORLD, &sends[send_count++]);
  }
  MPI_Waitall(others, posted, MPI_STATUSES_IGNORE);
  for (int k = 0; k < others; ++k)
    MPI_Send(&more[peers[k]], 1, MPI_INT, peers[k], 0, MPI_COMM_WORLD);
  return finish();
}
