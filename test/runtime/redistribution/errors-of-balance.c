// Costs that are no costs, and ranks that do not all follow the load, are found by all ranks before anything
// changes.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// CHECK: rank 2: A: balance has a cost of -1.000000 for row 3 of this rank, expected costs of at least 0
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 1: A: balance has a cost of nan for row 0 of this rank, expected costs of at least 0
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: balance has 9 costs of rows, expected one for each of this rank's 10
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 3: A: balance has a null pointer as costs of rows, expected one for each of this rank's 10
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 2: whether the sizes follow the load is 0, expected 1 as on rank 0
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: balance on processors of 2 dimensions, expected 1
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: no error
// CHECK-NEXT: 0 wrong

#include "../inputs/redistribution-errors.h"

#include <math.h>

static struct sendwright_site site = {"errors-of-balance.c", "main", 42, 0, 0, 0, 0};
static double costs[10];

static struct sendwright_distribution format(unsigned kind) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.dimension[0].sizes = kind == SENDWRIGHT_BALANCE ? costs : 0;
  d.dimension[0].size_bytes = sizeof(double);
  d.dimension[0].sizes_signed = SENDWRIGHT_FLOATING;
  d.dimension[0].size_count = -1;
  d.extents[0] = 40;
  return d;
}

static void redistribute(const struct sendwright_processors *onto,
                         const struct sendwright_distribution *to) {
  struct sendwright_processors P = {"P", 0, 1, {4}, 0, 0, 0};
  struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0};
  struct sendwright_array *const arrays[] = {&a};
  const struct sendwright_distribution blocks = format(SENDWRIGHT_BLOCK);
  int wrong = 0, all = 0;
  A = malloc(10 * sizeof *A);
  for (int i = 0; i < 10; i++)
    A[i] = 10 * rank + i;
  sendwright_distribute(&site, &a, &P, &blocks);
  strcpy(text, "no error");
  sendwright_redistribute_onto(&site, 0, 0, 1, arrays, onto, to);
  for (int i = 0; i < 10 && strcmp(text, "no error"); i++)
    wrong += A[i] != 10 * rank + i;
  sendwright_redistribute_onto(&site, 0, 0, 1, arrays, &P, &blocks);
  for (int i = 0; i < 10; i++)
    wrong += A[i] != 10 * rank + i;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s\n%d wrong\n", text, all);
  sendwright_forget(&a);
  free(A);
}

int main(int argc, char **argv) {
  MPI_Errhandler told;
  struct sendwright_processors grid = {"Grid", 0, 2, {2, 2}, 0, 0, 0};
  struct sendwright_distribution cyclic = format(SENDWRIGHT_CYCLIC),
                                 balance = format(SENDWRIGHT_BALANCE);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handler, &told);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, told);
  for (int i = 0; i < 10; i++)
    costs[i] = rank * 10 + i;
  if (rank == 2)
    costs[3] = -1;
  redistribute(0, &balance);
  costs[3] = 3;
  if (rank == 1)
    costs[0] = NAN;
  redistribute(0, &balance);
  costs[0] = 0;
  balance.dimension[0].size_count = 9;
  redistribute(0, &balance);
  balance.dimension[0].size_count = 10;
  if (rank == 3)
    balance.dimension[0].sizes = 0;
  redistribute(0, &balance);
  balance.dimension[0].sizes = costs;
  redistribute(0, rank == 2 ? &cyclic : &balance);
  redistribute(&grid, &balance);
  redistribute(0, &balance);
  MPI_Finalize();
}
