// Blocking sends of every mode in one loop: the synchronous one is not held back.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_main_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   for (int k = 0; k < others; ++k) {
// CHECK: {{^}}+  }
// CHECK-NOT: sendwright_batch

#include "shape.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  static char attached[1 << 16];
  MPI_Buffer_attach(attached, sizeof attached);
  for (int k = 0; k < others; ++k) {
    const int peer = peers[k];
    switch ((rank + k) % 4) {
    case 0: MPI_Send(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD); break;
    case 1: MPI_Ssend(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD); break;
    case 2: MPI_Bsend(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD); break;
    default: MPI_Rsend(outbox[peer], lengths[peer], MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
  }
  void *detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  return finish();
}
