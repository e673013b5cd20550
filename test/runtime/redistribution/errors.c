// Wrong use on any rank is found before anything changes: all ranks call the error handler of the
// processors' communicator with the same text, and the arrays stay unchanged. A correct redistribution
// afterwards works. Covers small messages and large ones, which are already under way.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t > %t.out 2> %t.err
// RUN: %FileCheck %s < %t.out
// RUN: %FileCheck --check-prefix=RETURNED %s < %t.err
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t > %t.out 2> %t.err
// RUN: %FileCheck %s < %t.out
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=4k %mpirun 4 %t > %t.out 2> %t.err
// RUN: %FileCheck %s < %t.out
// RUN: %mpirun 4 %t fatal > %t.out 2>&1; test $? != 0
// RUN: %FileCheck --check-prefix=FATAL %s < %t.out

// CHECK: sendwright: redistribute at errors.c:42: rank 3: A: the sizes of gen_block sum to 90, expected at least the extent, 100
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 2: A: gen_block has a block of size -1, expected sizes of at least 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 1: A: new size 2 of dimension 1 is 26, expected 25 as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 2: A: the new kind of dimension 1 is block, expected cyclic as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 1: A: gen_block has 3 sizes, expected one for each of 4 processors
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 0: A: block(3) on 4 processors holds less than the extent, 100, expected a length of at least 25
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 2: A: a distribution of 2 dimensions, expected the array's 1
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 1: the number of arrays is 2, expected 1 as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 3: A is a null pointer, expected a block of 25 elements (distributed at errors.c:7)
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 2: A: the size of an element is 16, expected 8 as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 0: P has 3 processors, expected as many as its communicator has ranks, 4
// CHECK-NEXT: 4 ranks told
// CHECK-NEXT: rank 0: A: a dimension has no extent, expected gen_block or an extent (distributed at errors.c:7)
// CHECK-NEXT: 4 ranks told
// CHECK-NEXT: A is not distributed, expected a distribute directive before
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 1: A: the extent of dimension 1 is 400001, expected 400000 as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 3: A: new size 1 of dimension 1 is 0, expected 400000 as on rank 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK-NEXT: rank 2: A: gen_block has a block of size -5, expected sizes of at least 0
// CHECK-NEXT: 4 ranks told, 0 wrong
// CHECK: end
// RETURNED: sendwright: redistribute at errors.c:42: rank 3: A: the sizes of gen_block sum to 90, expected at least the extent, 100
// RETURNED-NOT: sendwright:
// FATAL: redistribute at errors.c:42: rank 3: A: the sizes of gen_block sum to 90, expected at least the extent, 100

#include "../inputs/gen-block.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sendwright_site made = {"errors.c", "main", 7, 0, 0, 0, 0};
static struct sendwright_site site = {"errors.c", "main", 42, 0, 0, 0, 0};
static struct sendwright_processors P = {"P", 0, 1, {4, 0}};
static double *A, *B, *kept;
static struct sendwright_array a = {"A", &A, sizeof(double), 0, 0};
static struct sendwright_array b = {"B", &B, sizeof(double), 0, 0};
static struct sendwright_array *const arrays[] = {&a, &b};
static int rank, told;
static char text[MPI_MAX_ERROR_STRING];

static void handler(MPI_Comm *communicator, int *code, ...) {
  int length;
  (void)communicator;
  ++told;
  MPI_Error_string(*code, text, &length);
}

static struct sendwright_distribution regular(unsigned kind, long long parameter) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.dimension[0].parameter = parameter;
  d.extents[0] = -1;
  return d;
}

static double *block(int elements, int first) {
  double *made = malloc(sizeof(double) * elements);
  for (int i = 0; i < elements; ++i)
    made[i] = first + i;
  return made;
}

static int wrong(const double *values, int elements, int first) {
  int count = 0;
  for (int i = 0; i < elements; ++i)
    count += values[i] != first + i;
  return count;
}

/* A, in equal blocks of `each`; discards its old block. */
static void set_up(int each) {
  static int sizes[4];
  for (int i = 0; i < 4; ++i)
    sizes[i] = each;
  struct sendwright_distribution d = gen_block(sizes, 4, -1);
  free(A);
  free(B);
  A = block(each, each * rank);
  B = block(each, each * rank);
  sendwright_distribute(&made, &a, &P, &d);
  sendwright_distribute(&made, &b, &P, &d);
}

/* A call that fails and leaves everything unchanged, followed by one that succeeds. */
static void fails(const struct sendwright_distribution *to, unsigned long count, int each) {
  int sums[2], mine[2];
  double *const before = A;
  told = 0;
  strcpy(text, "nothing");
  sendwright_redistribute(&site, 0, 0, count, arrays, to);
  a.element_size = sizeof(double);
  mine[0] = told;
  mine[1] = A != before || (A && each && wrong(A, each, each * rank));
  MPI_Reduce(mine, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s\n%d ranks told, %d wrong\n", text, sums[0], sums[1]);
  fflush(stdout);
  if (!A)
    A = kept;
  if (each) {
    int sizes[4] = {0, 4 * each, 0, 0};
    const struct sendwright_distribution good = gen_block(sizes, 4, -1);
    sendwright_redistribute(&site, 0, 0, 1, arrays, &good);
    if (rank == 1 && wrong(A, 4 * each, 0))
      printf("wrong afterwards: %s\n", text);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int equal[4] = {25, 25, 25, 25}, few[4] = {30, 20, 20, 20}, negative[4] = {100, -1, 0, 1},
            other[4] = {25, 26, 25, 25};
  struct sendwright_distribution good = gen_block(equal, 4, -1), d;

  if (argc == 1)
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  set_up(25);
  d = gen_block(rank == 3 ? few : equal, 4, -1);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);

  MPI_Errhandler mine;
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  set_up(25);
  fails(&d, 1, 25);
  set_up(25);
  d = gen_block(rank == 2 ? negative : equal, 4, -1);
  fails(&d, 1, 25);
  set_up(25);
  d = gen_block(rank == 1 ? other : equal, 4, -1);
  fails(&d, 1, 25);
  set_up(25);
  d = regular(rank == 2 ? SENDWRIGHT_BLOCK : SENDWRIGHT_CYCLIC, 0);
  fails(&d, 1, 25);
  set_up(25);
  d = good;
  d.dimension[0].size_count = rank == 1 ? 3 : 4;
  fails(&d, 1, 25);
  set_up(25);
  d = regular(SENDWRIGHT_BLOCK, 3);
  fails(&d, 1, 25);
  set_up(25);
  d = good;
  d.dimensions = rank == 2 ? 2 : 1;
  fails(&d, 1, 25);
  set_up(25);
  fails(&good, rank == 1 ? 2 : 1, 25);
  set_up(25);
  kept = A;
  if (rank == 3)
    A = 0;
  fails(&good, 1, 25);
  set_up(25);
  a.element_size = rank == 2 ? 16 : 8;
  if (rank == 2)
    A = realloc(A, 16 * 25);
  fails(&good, 1, 25);
  set_up(25);
  P.extents[0] = 3;
  d = gen_block(equal, 4, -1);
  sendwright_distribute(&made, &a, &P, &d);
  fails(&good, 1, 0);
  P.extents[0] = 4;
  d = regular(SENDWRIGHT_BLOCK, 0);
  sendwright_distribute(&made, &a, &P, &d);
  fails(&good, 1, 0);
  sendwright_forget(&a);
  fails(&good, 1, 0);

  /* Messages of 800,000 bytes, which wait for their receivers. */
  enum { each = 100000 };
  const int all[4] = {4 * each, 0, 0, 0}, none[4] = {0, 0, 0, 4 * each},
            wrong_sizes[4] = {4 * each, -5, 0, 0};
  set_up(each);
  int own[4] = {each, each, each, each + (rank == 1)};
  d = gen_block(own, 4, -1);
  sendwright_distribute(&made, &a, &P, &d);
  d = gen_block(rank == 1 ? (int[4]){0, 0, 0, 4 * each + 1} : all, 4, -1);
  fails(&d, 1, 0);
  set_up(each);
  d = gen_block(rank == 3 ? none : all, 4, -1);
  fails(&d, 1, each);
  set_up(each);
  d = gen_block(rank == 2 ? wrong_sizes : all, 4, -1);
  fails(&d, 2, each);

  sendwright_forget(&a);
  sendwright_forget(&b);
  free(A);
  free(B);
  if (rank == 0)
    printf("end\n");
  MPI_Errhandler_free(&mine);
  MPI_Finalize();
  return 0;
}
