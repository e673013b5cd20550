// The shape of a conjugate gradient with a 27-point stencil: ranks with 7, 11 and 17 neighbours exchange their
// halos four times in each iteration, which also has two MPI_Allreduce. If the run is too long to be replayed
// as a whole, all ranks are cut in the same iteration: the replay comes to its end, and its estimate for the
// whole run is what the whole run takes. Rebuilt with the plan, the program computes the same in less time.
//
// REQUIRES: smpicc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: echo '%source_root/test/benchmark/testbed/smpi run 18 %source_root/examples/platforms/infiniband.xml "$@"' > run
// RUN: %source_root/test/benchmark/testbed/smpi compile -O1 %s -o original
// RUN: env SMPI_TIME=1 sh run ./original > original.out 2> original.time
// RUN: %source_root/test/benchmark/testbed/smpi compile -O1 -g %generate %s -o profiled \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env SENDWRIGHT_PROFILE=app.prof sh run ./profiled > profiled.out
// RUN: cmp original.out profiled.out
//
// RUN: %sendwright simulate app.prof --machine %source_root/examples/platforms/infiniband.json > whole
// RUN: %sendwright simulate app.prof --machine %source_root/examples/platforms/infiniband.json --events 30000 > part
// RUN: ! grep 'never reach the end' part
// RUN: awk '/^as it was/ { simulated = $4 } FILENAME == "part" && /estimated/ { estimated = $8; seen = 1 } \
// RUN:   FILENAME == "whole" { whole = simulated } \
// RUN:   END { exit !(seen && simulated < whole / 5 && estimated > 0.98 * whole && estimated < 1.02 * whole) }' whole part
//
// RUN: %sendwright plan app.prof -o app.plan --machine %source_root/examples/platforms/infiniband.json \
// RUN:   --events 30000 | %FileCheck %s
// CHECK: long-run-of-a-solver.c:[[#@LINE+25]] in exchange: rewrite
// CHECK-NEXT: store-and-forward{{.*}}; the whole run is predicted to take
// CHECK: the whole run, which decides, replayed {{[0-9]+}} times ({{2[0-9][0-9][0-9][0-9]|30000}} events, its first part; times are estimates for the whole run)
// CHECK-NOT: not to its end
// CHECK: sharing
//
// RUN: %source_root/test/benchmark/testbed/smpi compile -O1 -g %use=app.plan %s -o planned \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env SMPI_TIME=1 sh run ./planned > planned.out 2> planned.time
// RUN: cmp original.out planned.out
// RUN: awk '{ seconds[NR] = $2 } END { exit !(NR == 2 && seconds[2] < 0.95 * seconds[1]) }' original.time planned.time

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { width = 3, height = 3, depth = 2, most = 26, words = 2, sweeps = 4, iterations = 100 };

static int neighbours[most], count;
static double mine[words], halo[most][words];

static void exchange(void) {
  MPI_Request requests[most];
  for (int i = 0; i < count; ++i)
    MPI_Irecv(halo[i], words, MPI_DOUBLE, neighbours[i], 9, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < count; ++i)
    MPI_Send(mine, words, MPI_DOUBLE, neighbours[i], 9, MPI_COMM_WORLD);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static double sum(double value) {
  double all;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int x = rank % width, y = rank / width % height, z = rank / (width * height);
  for (int other = 0; other < width * height * depth; ++other)
    if (other != rank && abs(x - other % width) <= 1 && abs(y - other / width % height) <= 1)
      neighbours[count++] = other;
  mine[0] = 1 + x + 2 * y + 4 * z;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      exchange();
      for (int i = 0; i < count; ++i)
        mine[1] += halo[i][0] / 32;
    }
    const double all = sum(mine[1]);
    mine[0] += mine[1] / all;
    mine[1] -= sum(mine[0]) / all;
  }
  if (rank == 0)
    printf("%.9f %.9f\n", mine[0], mine[1]);
  MPI_Finalize();
  return 0;
}
