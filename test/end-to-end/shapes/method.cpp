// The loop is in a method and sends from its object.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+    { sendwright_batch(sendwright_site_Exchange_start_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}     for (int peer : to)
// CHECK: {{^}}+    }
// CHECK-NOT: sendwright_batch

#include "shape.h"
#include <vector>
struct Exchange {
  std::vector<int> to;
  void start() {
    for (int peer : to)
      MPI_Isend(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD, next());
  }
  MPI_Request *next() { return &sends[send_count++]; }
};

int main(int argc, char **argv) {
  begin(&argc, &argv);
  Exchange exchange{{peers, peers + others}};
  exchange.start();
  return finish();
}
