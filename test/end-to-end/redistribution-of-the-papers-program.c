// The program of Section 2 of Chen and Hsu (docs/transformations/redistribution.md), in C: a whole array on
// every rank, whose parts redistribute moves in place. Each rank ends with the right elements.
//
// RUN: %mpicc -std=c99 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime > %t.remarks 2>&1
// RUN: %FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %mpirun 6 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 6 %t | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=100 %mpirun 6 %t | %FileCheck %s
//
// REMARK: redistribution-of-the-papers-program.c:[[#@LINE+17]]:{{[0-9]+}}: remark: 'A' has global indices: every rank has room for all of it and owns a part, which is moved in place
// CHECK: 100 elements, 0 wrong

#include <mpi.h>
#include <stdio.h>

static int begin_of(const int *sizes, int rank) {
  int begin = 0;
  for (int before = 0; before < rank; before++)
    begin += sizes[before];
  return begin;
}

int main(int argc, char **argv) {
  float A[100];
  int old[6] = {9, 8, 9, 16, 25, 33}, rank;
#pragma hpf processors P(6)
#pragma hpf distribute A(gen_block(old)) onto P
#pragma hpf dynamic
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; i++)
    A[i] = -1;
  for (int i = begin_of(old, rank); i < begin_of(old, rank + 1); i++)
    A[i] = 3.5f * (float)i;
  int new[6] = {28, 17, 5, 10, 22, 18};
#pragma hpf redistribute A(gen_block(new))
  int counts[2] = {0, 0}, sums[2];
  for (int i = begin_of(new, rank); i < begin_of(new, rank + 1); i++) {
    counts[0]++;
    counts[1] += A[i] != 3.5f * (float)i;
  }
  MPI_Reduce(counts, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d elements, %d wrong\n", sums[0], sums[1]);
  MPI_Finalize();
}
