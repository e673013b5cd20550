// The destinations come from an iterator over a map.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (auto it = messages.begin(); it != messages.end(); ++it)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
#include <map>
#include <vector>

int main(int argc, char **argv) {
  begin(&argc, &argv);
  std::map<int, std::vector<int>> messages;
  for (int peer : peers)
    messages[peer].assign(outbox[peer], outbox[peer] + lengths[peer]);
  for (auto it = messages.begin(); it != messages.end(); ++it)
    MPI_Send(it->second.data(), static_cast<int>(it->second.size()), MPI_INT, it->first, 0, MPI_COMM_WORLD);
  return finish();
}
