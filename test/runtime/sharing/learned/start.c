// Learning begins with one round of messages and a communicator: under SimGrid's SMPI, where times do
// not vary, MPI_Init takes less than two and a half barriers of 64 ranks.
//
// REQUIRES: smpicc
// UNSUPPORTED: sanitize
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG -DMARKED_LOOPS %s %planned_loop -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env SENDWRIGHT_ADAPT=%source_root/examples/platforms/infiniband.json \
// RUN:   %source_root/test/benchmark/testbed/smpi run 64 %source_root/examples/platforms/infiniband.xml %t \
// RUN:   >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: learning begins in less than 2.5 barriers

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  enum { barriers = 10 };
  MPI_Init(&argc, &argv);
  double begun = MPI_Wtime(), last = 0;
  {
    sendwright_batch(loop);
  }
  MPI_Allreduce(&begun, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const double before = PMPI_Wtime();
  for (int i = 0; i < barriers; ++i)
    PMPI_Barrier(MPI_COMM_WORLD);
  const double barrier = (PMPI_Wtime() - before) / barriers;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && last > 0)
    printf("learning begins in %s than 2.5 barriers (%g of %g us)\n", last < 2.5 * barrier ? "less" : "more",
           1e6 * last, 1e6 * barrier);
  MPI_Finalize();
}
