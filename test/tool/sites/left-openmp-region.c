// A scope in an OpenMP region would name an object that a default clause forbids. In a region without
// one it is no obstacle.
//
// RUN: %cc -fopenmp %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: grep -c '^ *{ sendwright_mark' %t/left-openmp-region.c | grep -x 1

#include <mpi.h>

static void send(int peer) { MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); }

void f(int n) {
#pragma omp parallel default(none) firstprivate(n)
  {
    // REMARK: left-openmp-region.c:[[#@LINE+1]]:5: remark: send loop left as written: the loop stands in an OpenMP region with a default clause
    for (int i = 0; i < n; i++)
      send(i);
  }
#pragma omp parallel
  {
    for (int i = 0; i < n; i++)
      send(i);
  }
  // REMARK-NOT: remark:
#pragma omp parallel for collapse(2)
  // REMARK: left-openmp-region.c:[[#@LINE+1]]:3: remark: send loop left as written: a pragma applies to the loop
  for (int i = 0; i < n; i++)
    // REMARK: left-openmp-region.c:[[#@LINE+1]]:5: remark: send loop left as written: a pragma applies to the loop
    for (int j = 0; j < n; j++)
      send(i);
}
