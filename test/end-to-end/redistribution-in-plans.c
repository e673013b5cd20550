// A program that redistributes between loops that send: its profile has only the program's own
// messages; under a plan that reorders, and under plans that synchronise, with MPI's buffers and
// with exactly the planned ones, it prints what it prints without a plan.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 %plugin %s -o %t/original %runtime
// RUN: %mpirun 4 %t/original > %t/expected && %FileCheck %s < %t/expected
// CHECK: 0 wrong elements
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 4 %t/profiled | cmp %t/expected -
//
// Six rounds, and each rank has three others: nothing of what moves the elements is recorded.
// RUN: %sendwright trace export %t/app.prof -o %t/trace
// RUN: test "$(grep -c '^isend ' %t/trace)" = 72 && test "$(grep -c '^irecv ' %t/trace)" = 72
//
// RUN: %sendwright plan %t/app.prof -o %t/sober.plan > %t/said
// RUN: %binary_root/bin/shuffle-plan %t/app.prof %t/sober.plan %t/order.plan 1
// RUN: %mpicc -O1 -g %use=%t/order.plan %s -o %t/ordered %runtime 2> %t/remarks
// RUN: %sendwright rewrite %s --plan %t/order.plan --diff --remarks none -- > %t/diff
// RUN: %FileCheck %s --check-prefix=ORDER < %t/diff
// ORDER: +    { sendwright_batch(
// ORDER: +{{ *}}sendwright_hpf_redistribute(
// RUN: %mpirun 4 %t/ordered | cmp %t/expected -
//
// RUN: for kind in full component; do \
// RUN:   %sendwright plan %t/app.prof -o %t/$kind.plan --synchronize $kind > %t/$kind.said && \
// RUN:   grep 'The plan synchronises [1-9]' %t/$kind.said && \
// RUN:   %mpicc -O1 -g %use=%t/$kind.plan %s -o %t/$kind %runtime 2> %t/remarks && \
// RUN:   %mpirun 4 %t/$kind > %t/out 2> %t/err && cmp %t/expected %t/out || exit 1; \
// RUN:   if grep sendwright: %t/err; then exit 1; fi; \
// RUN:   env SENDWRIGHT_BUFFERS=5 %mpirun 4 %t/$kind | cmp %t/expected - || exit 1; \
// RUN: done

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ranks = 4, extent = 100, rounds = 6 };
static int rank, wrong;
static double *A;

/* Different sizes in each round. */
static void fill_sizes(int *sizes, int round) {
  int left = extent;
  for (int i = 0; i < ranks; left -= sizes[i++])
    sizes[i] = i + 1 == ranks ? left : 10 + (7 * i + 11 * round) % 17;
}

static int begin_of(const int *sizes) {
  int begin = 0;
  for (int i = 0; i < rank; i++)
    begin += sizes[i];
  return begin;
}

/* Each rank tells all others a number; the sends are not waited for. */
static double exchange(double mine, MPI_Request *sends) {
  static double inbox[ranks], outbox;
  MPI_Request receives[ranks - 1];
  double sum = 0;
  outbox = mine;
  for (int k = 1; k < ranks; k++)
    MPI_Irecv(&inbox[k], 1, MPI_DOUBLE, (rank + k) % ranks, 0, MPI_COMM_WORLD, &receives[k - 1]);
  for (int k = 1; k < ranks; k++)
    MPI_Isend(&outbox, 1, MPI_DOUBLE, (rank + k) % ranks, 0, MPI_COMM_WORLD, &sends[k - 1]);
  MPI_Waitall(ranks - 1, receives, MPI_STATUSES_IGNORE);
  for (int k = 1; k < ranks; k++)
    sum += inbox[k];
  return sum;
}

/* Every rank sends to both neighbours in a ring before receiving, which needs buffers. */
static double around(double mine) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  double from_left, from_right;
  MPI_Send(&mine, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD);
  MPI_Send(&mine, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
  MPI_Recv(&from_left, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&from_right, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 2 * from_left + from_right;
}

int main(int argc, char **argv) {
  int sizes[ranks], all;
  double sum = 0, each[ranks];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_sizes(sizes, 0);
  A = malloc(sizeof *A * sizes[rank]);
  for (int i = 0; i < sizes[rank]; i++)
    A[i] = begin_of(sizes) + i;
#pragma hpf processors P(ranks)
#pragma hpf distribute A(gen_block(sizes)) onto P
#pragma hpf dynamic A
  for (int round = 1; round <= rounds; round++) {
    MPI_Request sends[ranks - 1];
    sum = 0.5 * sum + exchange(A[0] + sizes[rank], sends);
    fill_sizes(sizes, round);
#pragma hpf redistribute A(gen_block(sizes))
    for (int k = 0; k < 4; k++)
      sum = 0.25 * around(sum);
    MPI_Waitall(ranks - 1, sends, MPI_STATUSES_IGNORE); /* they were under way meanwhile */
    for (int i = 0; i < sizes[rank]; i++)
      wrong += A[i] != begin_of(sizes) + i;
  }
  MPI_Gather(&sum, 1, MPI_DOUBLE, each, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; i++)
    printf("rank %d: %.6f\n", i, each[i]);
  if (rank == 0)
    printf("%d wrong elements\n", all);
  free(A);
  MPI_Finalize();
  return 0;
}
