// The exchanges of a chain overlap also where their sends travel through other ranks, by a plan or as learned: results
// and statuses are the same.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpicc %s -o %t/written
// RUN: %mpirun 9 %t/written > %t/expected
// RUN: %mpicc %generate %argument-overlap-exchanges %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 9 %t/profiled | cmp - %t/expected
// RUN: %sendwright plan %t/app.prof --method store-and-forward:2 -o %t/app.plan > %t/plan.out
// RUN: %mpicc %use=%t/app.plan %argument-overlap-exchanges %s -o %t/used %runtime 2> %t/remarks
// RUN: %FileCheck %s < %t/remarks
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 9 %t/used | cmp - %t/expected
// RUN: env SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=%t/table.json %mpirun 9 %t/used 2> %t/table | cmp - %t/expected
// RUN: env SENDWRIGHT_ADAPT=%S/../runtime/inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 9 %t/profiled 2> %t/said | cmp - %t/expected
// RUN: %FileCheck %s --check-prefix=LEARNED < %t/said
// CHECK: remark: chain of 8 exchanges shared by 'message-sharing'
// LEARNED: exchange-chain-that-is-shared.c:{{[0-9]+}}: messages are shared from execution

#include <mpi.h>
#include <stdio.h>

enum { partners = 8, room = 40 };
static int to[partners], from[partners], out[partners][room], in[partners][room];

static void shift(int n, MPI_Status *status) {
  MPI_Sendrecv(out[0], n, MPI_INT, to[0], 0, in[0], room, MPI_INT, from[0], 0, MPI_COMM_WORLD, &status[0]);
  MPI_Sendrecv(out[1], n, MPI_INT, to[1], 0, in[1], room, MPI_INT, from[1], 0, MPI_COMM_WORLD, &status[1]);
  MPI_Sendrecv(out[2], n, MPI_INT, to[2], 0, in[2], room, MPI_INT, from[2], 0, MPI_COMM_WORLD, &status[2]);
  MPI_Sendrecv(out[3], n, MPI_INT, to[3], 0, in[3], room, MPI_INT, from[3], 0, MPI_COMM_WORLD, &status[3]);
  MPI_Sendrecv(out[4], n, MPI_INT, to[4], 0, in[4], room, MPI_INT, from[4], 0, MPI_COMM_WORLD, &status[4]);
  MPI_Sendrecv(out[5], n, MPI_INT, to[5], 0, in[5], room, MPI_INT, from[5], 0, MPI_COMM_WORLD, &status[5]);
  MPI_Sendrecv(out[6], n, MPI_INT, to[6], 0, in[6], room, MPI_INT, from[6], 0, MPI_COMM_WORLD, &status[6]);
  MPI_Sendrecv(out[7], n, MPI_INT, to[7], 0, in[7], room, MPI_INT, from[7], 0, MPI_COMM_WORLD, &status[7]);
}

int main(int argc, char **argv) {
  int rank, ranks;
  unsigned long sum = 0, all[9];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int k = 0; k < partners; k++) {
    to[k] = (rank + k + 1) % ranks;
    from[k] = (rank + ranks - k - 1) % ranks;
  }
  for (int round = 0; round < 120; round++) {
    MPI_Status status[partners];
    const int n = 1 + round % 20 * 2;
    for (int k = 0; k < partners; k++)
      for (int i = 0; i < room; i++)
        out[k][i] = 1000 * rank + 100 * k + i + round;
    shift(n, status);
    for (int k = 0; k < partners; k++) {
      int count;
      MPI_Get_count(&status[k], MPI_INT, &count);
      sum = sum * 31 + (unsigned long)status[k].MPI_SOURCE + (unsigned long)count;
      for (int i = 0; i < room; i++)
        sum = sum * 31 + (unsigned long)in[k][i];
    }
  }
  MPI_Gather(&sum, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < 9; k++)
    printf("%d: %lx\n", k, all[k]);
  MPI_Finalize();
}
