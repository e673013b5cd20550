// A loop whose sends complete early gets a scope and a comment, also if it calls what nobody knows:
// nothing in it is held back, so that it may wait for whatever it likes. The same loop stays as
// written where its sends would be held back. The remark at a loop that is left says why.
//
// RUN: %plan_for %t.plan early %cc %s
// RUN: %sendwright rewrite %s --plan %t.plan --diff -- %mock > %t.diff 2> %t.remarks
// RUN: %FileCheck %s < %t.diff
// RUN: %FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %plan_for %t.held.plan rewrite %cc %s
// RUN: %sendwright rewrite %s --plan %t.held.plan --diff -- %mock 2> %t.held | %FileCheck %s --check-prefix=NOTHING --allow-empty
// RUN: %FileCheck %s --check-prefix=HELD < %t.held
// RUN: %plan_for %t.late.plan late %cc %s
// RUN: %sendwright rewrite %s --plan %t.late.plan --remarks all -- %mock 2>&1 > /dev/null | %FileCheck %s --check-prefix=LATE
//
// CHECK: {{^}}+  /* early-completion: sends of up to 100 kB leave from copies, ranks wait up to 250 ms in them per execution
// CHECK-NEXT: {{^}}+     ranks wait in a line
// CHECK-NEXT: {{^}}+     MPI_Send of 65.5 kB and more returns at once; copies of 1.05 MB at a time at most */
// CHECK-NEXT: {{^}}+  { sendwright_batch(sendwright_site_shift_{{[0-9a-f]+}});
// CHECK-NEXT: {{^}}   for (int i = 0; i < steps; i++) {
// CHECK: {{^}}+  }
// NOTHING-NOT: sendwright_batch

#include <mpi.h>

void unknown(double *values);

void shift(double *values, int n, int above, int below, int steps) {
  // REMARK: scope-and-remark.c:[[#@LINE+3]]:3: remark: send loop freed of waits for receivers by 'early-completion': sends of up to 100 kB leave from copies, ranks wait up to 250 ms in them per execution
  // HELD: scope-and-remark.c:[[#@LINE+2]]:3: {{.*}}unknown
  // LATE: scope-and-remark.c:[[#@LINE+1]]:3: remark: send loop {{.*}}; sends not completed early because its messages of 4 MB are larger than 1.05 MB
  for (int i = 0; i < steps; i++) {
    MPI_Send(values, n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD);
    MPI_Recv(values, n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unknown(values);
  }
}
