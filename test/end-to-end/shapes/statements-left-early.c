// A function that returns between two of its sends, and functions that send: what was captured leaves
// then.
//
// RUN: %same_c %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+  { sendwright_batch(sendwright_site_send_all_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}   send(0);
// CHECK: {{^}}   send(2);
// CHECK-NEXT: {{^}}+  }

#include "shape.h"

static void send(int k) {
  MPI_Send(outbox[peers[k]], lengths[peers[k]], MPI_INT, peers[k], 0, MPI_COMM_WORLD);
}

static int send_all(int last) {
  send(0);
  if (last == 0)
    return 1;
  send(1);
  if (last == 1)
    return 2;
  send(2);
  return 3;
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int sent = send_all(rank % others);
  for (; sent < others; sent++)
    MPI_Send(outbox[peers[sent]], lengths[peers[sent]], MPI_INT, peers[sent], 0, MPI_COMM_WORLD);
  return finish();
}
