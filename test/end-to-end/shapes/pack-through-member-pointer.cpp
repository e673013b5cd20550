// The fields of a mesh are packed through pointers to members before each send of a block (LULESH
// does so): the runtime is shown the member before each call, and knows it, so the block is reordered
// to its end.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_{{.*}}exchange_{{[0-9a-f]+(_stable)?}});
// CHECK: {{^}}+    outbox[peers[1]][k] = (domain.*sendwright_checked_member(fields[0]))(k) + rank;
// CHECK: {{^}}+    outbox[peers[2]][k] = 10 * (domain.*sendwright_checked_member(fields[1]))(k);
// RUN: %FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: remark: block of 3 sends reordered by 'message-ordering':
// RUN: %mpirun 4 %t/rewritten 2>&1 > /dev/null | %FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: runs as written

#include "shape.h"

namespace {

class Domain {
public:
  int &x(int k) { return values[0][k]; }
  int &y(int k) { return values[1][k]; }

private:
  int values[2][room] = {{3, 1, 4, 1, 5, 9, 2, 6}, {2, 7, 1, 8, 2, 8, 1, 8}};
};
typedef int &(Domain::*Member)(int);

void exchange(Domain &domain, const Member *fields) {
  for (int k = 0; k < room; k++)
    outbox[peers[0]][k] = (domain.*fields[k % 2])(k);
  MPI_Send(outbox[peers[0]], lengths[peers[0]], MPI_INT, peers[0], 0, MPI_COMM_WORLD);
  for (int k = 0; k < room; k++)
    outbox[peers[1]][k] = (domain.*fields[0])(k) + rank;
  MPI_Send(outbox[peers[1]], lengths[peers[1]], MPI_INT, peers[1], 0, MPI_COMM_WORLD);
  for (int k = 0; k < room; k++)
    outbox[peers[2]][k] = 10 * (domain.*fields[1])(k);
  MPI_Send(outbox[peers[2]], lengths[peers[2]], MPI_INT, peers[2], 0, MPI_COMM_WORLD);
}

} // namespace

int main(int argc, char **argv) {
  begin(&argc, &argv);
  Domain domain;
  const Member fields[] = {&Domain::x, &Domain::y};
  exchange(domain, fields);
  return finish();
}
