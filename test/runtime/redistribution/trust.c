// Ranks that trust one another move without agreement. A rank that proposes something else is found by
// those that wait for its elements; what one rank finds wrong with its own arguments it alone is told.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t 2>&1 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t differ > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=DIFFER %s < %t.out
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t large > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=DIFFER %s < %t.out
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t skip > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=SKIP %s < %t.out
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t alone 2>&1 | %FileCheck --check-prefix=ALONE %s
//
// Where one rank does not trust, or none does, or everything moves by MPI_Alltoallv, all agree.
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t one > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=AGREED %s < %t.out
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=0 %mpirun 4 %t differ > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=AGREED %s < %t.out
// RUN: env SENDWRIGHT_DISABLE=1 SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t differ > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=AGREED %s < %t.out

// CHECK-NOT: sendwright
// CHECK: 0 wrong
// DIFFER: sendwright: redistribute at trust.c:42: rank {{[0-3]}}: rank {{[0-3]}} moves something else, or calls something else before
// SKIP: sendwright: redistribute at trust.c:42: rank {{[0-3]}}: rank {{[0-3]}} moves something else, or calls something else before
// ALONE-NOT: sendwright
// ALONE: sendwright: redistribute at trust.c:42: rank 3: A: gen_block has a block of size -5, expected sizes of at least 0
// ALONE-NOT: sendwright
// ALONE: 0 wrong
// AGREED: sendwright: redistribute at trust.c:42: rank 1: A: new size 2 of dimension 1 is {{[0-9]+}}, expected {{[0-9]+}} as on rank 0

#include "../inputs/gen-block.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sendwright_site made = {"trust.c", "main", 7, 0, 0, 0, 0};
static struct sendwright_site site = {"trust.c", "main", 42, 0, 0, 0, 0};
static struct sendwright_processors P = {"P", 0, 1, {4, 0}};
static double *A;
static struct sendwright_array a = {"A", &A, sizeof(double), 0, 0};
static struct sendwright_array *const arrays[] = {&a};
static int rank;

static void move(int p, int q, int r, int s) {
  const int sizes[4] = {p, q, r, s};
  const struct sendwright_distribution d = gen_block(sizes, 4, -1);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);
}

static int wrong(int elements, int first) {
  int count = 0;
  for (int i = 0; i < elements; ++i)
    count += A[i] != first + i;
  return count;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int each = strcmp(way, "large") == 0 ? 200000 : 25, equal[4] = {each, each, each, each}, shift = each / 5;
  struct sendwright_distribution d = gen_block(equal, 4, -1);
  A = malloc(sizeof(double) * each);
  for (int i = 0; i < each; ++i)
    A[i] = each * rank + i;
  sendwright_distribute(&made, &a, &P, &d);

  int bad = 0;
  if (strcmp(way, "one") == 0 && rank == 3)
    setenv("SENDWRIGHT_REDISTRIBUTE_TRUST", "0", 1); /* read by the first redistribution */
  if (strcmp(way, "differ") == 0 || strcmp(way, "large") == 0 || strcmp(way, "one") == 0) {
    if (rank == 1)
      move(each, each + shift - 2, each - shift + 2, each);
    else
      move(each, each + shift, each - shift, each);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(way, "skip") == 0) {
    if (rank != 2)
      move(each, each + 5, each - 5, each); /* from rank 2, which goes on to the next one */
    move(each, each + 4, each - 4, each);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(way, "alone") == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 3)
      move(each, each, each, -5);
    else
      move(each, each, each, each);
    bad = wrong(each, each * rank);
  } else {
    for (int i = 0; i < 300; ++i) {
      const int step = i % 7;
      if (rank == i % 4) /* whoever is late */
        for (volatile int spin = 0; spin < 100000; ++spin)
          ;
      move(each - step, each + 2 * step, each, each - step);
      const int first[] = {0, each - step, 2 * each + step, 3 * each + step},
                size[] = {each - step, each + 2 * step, each, each - step};
      bad += wrong(size[rank], first[rank]);
    }
  }
  int all = 0;
  MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong\n", all);
  sendwright_forget(&a);
  free(A);
  MPI_Finalize();
  return 0;
}
