// A transformation that only tests are built with goes all the way from a profile to a run. The
// product, which does not know it, runs the program with the same plan as written.
//
// The library with the sample is built for the default MPI, the plugin for the default Clang.
// UNSUPPORTED: !openmpi, !default-clang
//
// RUN: %mpicc -std=c99 -O1 -g %generate %s -o %t.profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 4 %t.profiled \
// RUN:   | %FileCheck %s --check-prefix=WRITTEN
// RUN: %with_test_transformations/bin/sendwright plan --choose models %t.prof -o %t.plan \
// RUN:   | %FileCheck %s --check-prefix=PLAN
// RUN: %mpicc -std=c99 -O1 -g -fplugin=%with_test_transformations/lib/sendwright.so \
// RUN:   -fplugin-arg-sendwright-profile-use=%t.plan %s -o %t.reversed \
// RUN:   -L%with_test_transformations/lib -Wl,-rpath,%with_test_transformations/lib \
// RUN:   -lsendwright 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %mpirun 4 %t.reversed | %FileCheck %s --check-prefix=REVERSED
//
// The product: command, compiler, and runtime under a program that carries the plan.
// RUN: %sendwright show %t.plan | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %mpicc -std=c99 -O1 -g %use=%t.plan -fplugin-arg-sendwright-remarks=all %s -o %t \
// RUN:   %runtime 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %mpirun 4 %t | %FileCheck %s --check-prefix=WRITTEN
// RUN: %mpirun 4 env LD_PRELOAD=%runtime_file %t.reversed 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=GAVE-UP
//
// WRITTEN: rank 0: nothing was held back
// PLAN: reverse-order.c:[[#]] in main: rewrite
// PLAN-NEXT: sends are reversed, for a test
// REMARK: remark: send loop reversed by 'reverse-order': predicted gain
// REVERSED: rank 0: held back, and sent to 3 2 1
// UNKNOWN: planned for 'reverse-order', which this version of Sendwright does not know
// GAVE-UP-DAG: has parts that this version of Sendwright does not know
// GAVE-UP-DAG: rank 0: nothing was held back

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static char issued[64];

/* The runtime sends what it held back by this function. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm communicator, MPI_Request *request) {
  int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      dlsym(RTLD_NEXT, "PMPI_Isend");
  if (strlen(issued) < 60)
    sprintf(issued + strlen(issued), " %d", to);
  return next(buffer, count, type, to, tag, communicator, request);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  issued[0] = 0;
  int value = rank;
  if (rank == 0)
    for (int to = 1; to < size; ++to)
      MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    printf(issued[0] ? "rank 0: held back, and sent to%s\n" : "rank 0: nothing was held back%s\n",
           issued);
  MPI_Finalize();
}
