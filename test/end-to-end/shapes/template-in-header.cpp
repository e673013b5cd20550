// The loop is in a header's template that two units instantiate: rewritten once, linked once.
//
// RUN: %same_cxx %s %S/inputs/other_unit.cpp && %FileCheck %s < %t/diff
// CHECK: +++ {{.*}}send_to.hpp (rewritten)
// CHECK: {{^}}+  { sendwright_batch_instance(sendwright_site_send_to_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < n; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch
// RUN: grep -c 'remark: send loop reordered' %t/remarks | grep -x 2

#include "shape.h"
#include "send_to.hpp"

void send_rest(const int *to, int n, const long long *values);

int main(int argc, char **argv) {
  begin(&argc, &argv);
  send_to(peers, 2, outbox[peers[0]]);
  const long long values[] = {1000ll * rank};
  send_rest(peers + 2, others - 2, values);
  return finish();
}
