// The loop is in a generic lambda, whose instantiations are distinguished.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+    { sendwright_batch_instance(sendwright_site_main_lambda_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}     for (int peer : to)
// CHECK: {{^}}+    }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  const auto exchange = [](const auto &to) {
    for (int peer : to)
      MPI_Send(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD);
  };
  exchange(peers);
  return finish();
}
