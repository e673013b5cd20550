// The destinations are the elements of a vector.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (std::size_t k = 0; k < to.size(); ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
#include <vector>

int main(int argc, char **argv) {
  begin(&argc, &argv);
  std::vector<int> to(peers, peers + others);
  for (std::size_t k = 0; k < to.size(); ++k)
    MPI_Send(outbox[to[k]], lengths[to.at(k)], MPI_INT, to[k], 0, MPI_COMM_WORLD);
  return finish();
}
