// What reflect sends is in the profile, and a plan shares it: each of three directives is a site, also one that two
// arrays share, and one whose cells arrive while the program computes. The results are the same, and so they are where
// a program learns without a plan.
//
// RUN: %mpicc -O1 -Wall -Wextra -Werror %plugin %s -o %t.written %runtime
// RUN: %mpirun 9 %t.written > %t.expected
// RUN: %FileCheck %s < %t.expected
// RUN: %mpicc -O1 -Wall -Wextra -Werror %generate %s -o %t.generate %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 9 %t.generate | diff - %t.expected
// RUN: %sendwright plan %t.prof -o %t.plan --method store-and-forward:2 | %FileCheck %s --check-prefix=PLAN
// RUN: %mpicc -O1 -Wall -Wextra -Werror %use=%t.plan %argument-output-dir=%t.out %s -o %t.use %runtime 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=REMARK
// RUN: %FileCheck %s --check-prefix=TEXT < %t.out/redistribution-reflected-by-plan.c
// RUN: %mpirun 9 %t.use | diff - %t.expected
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 9 %t.use | diff - %t.expected
// RUN: env SENDWRIGHT_VERIFY=%t.json SENDWRIGHT_WATCHDOG=20,abort %mpirun 9 %t.use 2> %t.table | diff - %t.expected
// RUN: env SENDWRIGHT_ADAPT=%S/../runtime/inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 9 %t.generate 2> %t.said | diff - %t.expected
// RUN: %FileCheck %s --check-prefix=LEARNED < %t.said
//
// CHECK: 80 steps, 0 wrong
//
// PLAN: redistribution-reflected-by-plan.c:[[@LINE+36]] in step: rewrite
// PLAN: messages travel through other ranks: store-and-forward in 2 dimensions
// PLAN: redistribution-reflected-by-plan.c:[[@LINE+35]] in step: rewrite
//
// REMARK: directive 'reflect' shared by 'message-sharing'
// REMARK: directive 'reflect_begin' shared by 'message-sharing'
//
// TEXT: /* message-sharing{{.*}}: store-and-forward in 2 dimensions
// TEXT: { sendwright_batch(sendwright_site_step_{{[0-9a-f]+}}_stable);
// TEXT-NEXT: sendwright_hpf_reflect_begin(sendwright_site_step_{{[0-9a-f]+}}, A,
// TEXT-NEXT: sendwright_hpf_reflect_begin(sendwright_site_step_{{[0-9a-f]+}}, B,
// TEXT-NEXT: }
// TEXT-NEXT: sendwright_hpf_reflect_end(sendwright_site_step_{{[0-9a-f]+}}, A);
// TEXT-NEXT: sendwright_hpf_reflect_end(sendwright_site_step_{{[0-9a-f]+}}, B);
//
// LEARNED: redistribution-reflected-by-plan.c:[[@LINE+21]]: messages are shared from execution

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { side = 3, edge = 4, wide = edge + 2, all = side * edge };

#pragma hpf processors P(3, 3)
static double *A;
static int *B;

static void distribute(void) {
#pragma hpf distribute A(block, block) onto P extent(all, all)
#pragma hpf shadow A(1:1, 1:1)
#pragma hpf distribute B(block, block) onto P extent(all, all)
#pragma hpf shadow B(1:1, 1:1)
}

static void step(void) {
#pragma hpf reflect A, B periodic corners
#pragma hpf reflect_begin A periodic
#pragma hpf reflect_end A
}

int main(int argc, char **argv) {
  long wrong = 0;
  int rank, number;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  A = malloc(sizeof(*A) * wide * wide);
  B = malloc(sizeof(*B) * wide * wide);
  distribute();
  for (number = 0; number < 80; ++number) {
    for (int i = 0; i < wide * wide; ++i)
      A[i] = B[i] = -1;
    for (int i = 1; i <= edge; ++i)
      for (int j = 1; j <= edge; ++j) {
        const int row = rank / side * edge + i - 1, column = rank % side * edge + j - 1;
        A[i * wide + j] = number * 1000 + row * all + column;
        B[i * wide + j] = number * 1000 - row * all - column;
      }
    step();
    for (int i = 0; i < wide; ++i)
      for (int j = 0; j < wide; ++j) {
        const int row = (rank / side * edge + i - 1 + all) % all, column = (rank % side * edge + j - 1 + all) % all;
        wrong += A[i * wide + j] != number * 1000 + row * all + column;
        wrong += B[i * wide + j] != number * 1000 - row * all - column;
      }
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d steps, %ld wrong\n", number, wrong);
  free(A);
  free(B);
  MPI_Finalize();
}
