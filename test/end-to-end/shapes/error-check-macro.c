// Calls are wrapped in a macro that checks for errors.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k)
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"
#define CHECK_MPI(call)                                                                            \
  do {                                                                                             \
    int code = (call);                                                                             \
    if (code != MPI_SUCCESS) {                                                                     \
      fprintf(stderr, "%s:%d: MPI error %d\n", __FILE__, __LINE__, code);                          \
      MPI_Abort(MPI_COMM_WORLD, code);                                                             \
    }                                                                                              \
  } while (0)

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < others; ++k)
    CHECK_MPI(MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD));
  return finish();
}
