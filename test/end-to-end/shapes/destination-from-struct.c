// The destinations are fields of structures.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (const struct neighbour *n = neighbours; n != neighbours + others; ++n)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  struct neighbour { int id; const int *values; int length; } neighbours[others];
  for (int k = 0; k < others; ++k)
    neighbours[k] = (struct neighbour){peers[k], outbox[peers[k]], lengths[peers[k]]};
  for (const struct neighbour *n = neighbours; n != neighbours + others; ++n)
    MPI_Send(n->values, n->length, MPI_INT, n->id, 0, MPI_COMM_WORLD);
  return finish();
}
