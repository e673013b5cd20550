// Statements in a template, whose calls depend on its parameters.
//
// RUN: %same_cxx %s && %FileCheck %s < %t/diff
// CHECK: {{^}}+    { sendwright_batch_instance(sendwright_site_Box_send_{{[0-9a-f]+(_stable)?}});
// CHECK-NEXT: {{^}}     MPI_Isend(values[peers[0]], lengths[peers[0]] * size, MPI_INT,
// CHECK: {{^}}     if (others > 2)
// CHECK: {{^}}+    }
// CHECK-NOT: sendwright_batch

#include "shape.h"

template <class Row> struct Box {
  Row *values;
  template <class Count> void send(Count size) {
    MPI_Isend(values[peers[0]], lengths[peers[0]] * size, MPI_INT, peers[0], 0, MPI_COMM_WORLD, &sends[send_count++]);
    MPI_Isend(values[peers[1]], lengths[peers[1]] * size, MPI_INT, peers[1], 0, MPI_COMM_WORLD, &sends[send_count++]);
    if (others > 2)
      MPI_Isend(values[peers[2]], lengths[peers[2]] * size, MPI_INT, peers[2], 0, MPI_COMM_WORLD,
                &sends[send_count++]);
  }
};

int main(int argc, char **argv) {
  begin(&argc, &argv);
  Box<int[room]> box = {outbox};
  if (rank % 2)
    box.send(1);
  else
    box.send(1l);
  return finish();
}
