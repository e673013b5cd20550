// Faces shifted by MPI_Sendrecv in statements, where the user lets them overlap: profiled, the
// program makes calls that overlap; planned and rebuilt, the plan orders or shares their sends; all
// variants print the same, also if the data of some calls depend on one another.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpicc %s -o %t/written
// RUN: %mpirun 8 %t/written > %t/expected
// RUN: %mpicc %generate %argument-overlap-exchanges %argument-output-dir=%t/generated -c %s -o %t/generated.o
// RUN: %FileCheck %s --check-prefix=GENERATE < %t/generated/exchange-chain.c
// RUN: %mpicc %t/generated.o -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 8 %t/profiled > %t/profiled.out
// RUN: cmp %t/expected %t/profiled.out
// RUN: %sendwright plan %t/app.prof --choose models --threshold 0 -o %t/app.plan > %t/plan.out
// RUN: %mpicc %use=%t/app.plan %argument-overlap-exchanges -c %s -o %t/used.o 2> %t/remarks
// RUN: %FileCheck %s < %t/remarks
// RUN: %mpicc %t/used.o -o %t/used %runtime
// RUN: %mpirun 8 %t/used > %t/used.out
// RUN: cmp %t/expected %t/used.out
// RUN: %sendwright plan %t/app.prof --choose models --threshold 99.9 -o %t/left.plan > %t/plan.out
// RUN: %mpicc %use=%t/left.plan %argument-overlap-exchanges -c %s -o %t/left.o 2>&1 | %FileCheck %s --check-prefix=LEFT
// LEFT: remark: chain of 6 exchanges overlapped
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 8 %t/used > %t/disabled.out
// RUN: cmp %t/expected %t/disabled.out

#include <mpi.h>
#include <stdio.h>

enum { faces = 6, room = 40 };
static int neighbour[faces], out[faces][room], in[faces][room], side[4][room];

static void shift(MPI_Comm mesh, int n, MPI_Status *status) {
  // GENERATE: sendwright_chain(sendwright_site_shift_[[SITE:[0-9a-f]+]]_deferrable);
  // GENERATE-SAME: sendwright_chain_reads(&neighbour, sizeof(neighbour));
  // GENERATE-SAME: sendwright_mark(sendwright_site_shift_[[SITE]]_deferrable);
  // CHECK: exchange-chain.c:[[#@LINE+1]]:3: remark: chain of 6 exchanges {{overlapped|reordered|shared}}
  MPI_Sendrecv(out[1], n, MPI_INT, neighbour[1], 0, in[0], room, MPI_INT, neighbour[0], 0, mesh, &status[0]);
  MPI_Sendrecv(out[0], n, MPI_INT, neighbour[0], 0, in[1], room, MPI_INT, neighbour[1], 0, mesh, &status[1]);
  MPI_Sendrecv(out[3], n, MPI_INT, neighbour[3], 0, in[2], room, MPI_INT, neighbour[2], 0, mesh, &status[2]);
  MPI_Sendrecv(out[2], n, MPI_INT, neighbour[2], 0, in[3], room, MPI_INT, neighbour[3], 0, mesh, &status[3]);
  MPI_Sendrecv(out[5], n, MPI_INT, neighbour[5], 0, in[4], room, MPI_INT, neighbour[4], 0, mesh, &status[4]);
  MPI_Sendrecv(out[4], n, MPI_INT, neighbour[4], 0, in[5], room, MPI_INT, neighbour[5], 0, mesh, &status[5]);
}

/* Each call passes on what the one before it received. */
static void pass_on(MPI_Comm mesh, int n) {
  // CHECK: exchange-chain.c:[[#@LINE+1]]:3: remark: loop of exchanges overlapped
  for (int k = 0; k < 3; k++)
    MPI_Sendrecv(side[k], n, MPI_INT, neighbour[1], 1, side[k + 1], n, MPI_INT, neighbour[0], 1, mesh, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, extents[3] = {2, 2, 2}, period[3] = {0, 1, 0};
  unsigned long sum = 0;
  MPI_Comm mesh;
  MPI_Init(&argc, &argv);
  MPI_Cart_create(MPI_COMM_WORLD, 3, extents, period, 0, &mesh);
  MPI_Comm_rank(mesh, &rank);
  for (int axis = 0; axis < 3; axis++)
    MPI_Cart_shift(mesh, axis, 1, &neighbour[2 * axis], &neighbour[2 * axis + 1]);
  for (int round = 0; round < 20; round++) {
    MPI_Status status[faces];
    const int n = 1 + round * 2;
    for (int face = 0; face < faces; face++)
      for (int k = 0; k < room; k++)
        out[face][k] = 1000 * rank + 100 * face + k + round, side[0][k] = rank + round;
    shift(mesh, n, status);
    pass_on(mesh, n);
    for (int face = 0; face < faces; face++) {
      int count;
      MPI_Get_count(&status[face], MPI_INT, &count);
      sum = sum * 31 + status[face].MPI_SOURCE + count;
      for (int k = 0; k < room; k++)
        sum = sum * 31 + in[face][k] + side[face % 4][k];
    }
  }
  unsigned long all[8];
  MPI_Gather(&sum, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < 8; k++)
    printf("%d: %lx\n", k, all[k]);
  MPI_Finalize();
  return 0;
}
