// What is wrong with balance(measured) on any rank is found by all ranks where they meet, before anything
// changes.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// CHECK: rank 2: A is a null pointer, expected a block of 10 elements (distributed at errors-of-measured-balance.c:42)
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: balance on processors of 2 dimensions, expected 1
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 1: A: extent(41), expected the array's 40
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 3: the schedule is 2, expected 0 as on rank 0
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: balance needs whole rows on each rank, but dimension 2 is divided
// CHECK-NEXT: no error
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: 40 rows after 50 directives, 0 wrong

#include "../inputs/redistribution-errors.h"

static struct sendwright_site site = {"errors-of-measured-balance.c", "main", 42, 0, 0, SENDWRIGHT_SITE_MEASURED, 0};
static int sizes[4];

static struct sendwright_distribution format(unsigned kind) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.dimension[0].size_count = -1;
  d.dimension[0].chosen = kind == SENDWRIGHT_BALANCE ? sizes : 0;
  d.dimension[0].chosen_bytes = sizeof *sizes;
  d.extents[0] = 40;
  return d;
}

static int count_wrong(void) {
  int wrong = 0;
  for (int i = 0; i < 10; i++)
    wrong += A[i] != 10 * rank + i;
  return wrong;
}

static void redistribute(int null, unsigned schedule, const struct sendwright_processors *onto,
                         const struct sendwright_distribution *to) {
  struct sendwright_processors P = {"P", 0, 1, {4}, 0, 0, 0};
  struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0};
  struct sendwright_array *const arrays[] = {&a};
  const struct sendwright_distribution blocks = format(SENDWRIGHT_BLOCK);
  int *const kept = A = malloc(10 * sizeof *A), wrong, all;
  for (int i = 0; i < 10; i++)
    A[i] = 10 * rank + i;
  sendwright_distribute(&site, &a, &P, &blocks);
  strcpy(text, "no error");
  if (null)
    A = 0;
  sendwright_redistribute_onto(&site, schedule, 0, 1, arrays, onto, to);
  if (null)
    A = kept;
  sendwright_redistribute_onto(&site, 0, 0, 1, arrays, &P, &blocks);
  wrong = count_wrong();
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s\n%d wrong\n", text, all);
  sendwright_forget(&a);
  free(A);
}

/* Rows that two dimensions divide have no cost each. */
static void redistribute_divided(void) {
  const struct sendwright_processors P = {"P", 0, 2, {2, 2}, 0, 0, 0}, line = {"line", 0, 1, {4}, 0, 0, 0};
  struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0};
  struct sendwright_array *const arrays[] = {&a};
  struct sendwright_distribution as = format(SENDWRIGHT_BLOCK), to = format(SENDWRIGHT_BALANCE);
  as.dimensions = to.dimensions = 2;
  as.dimension[1].kind = SENDWRIGHT_BLOCK;
  as.extents[0] = to.extents[0] = as.extents[1] = to.extents[1] = 4;
  A = calloc(4, sizeof *A);
  sendwright_distribute(&site, &a, &P, &as);
  strcpy(text, "no error");
  sendwright_redistribute_onto(&site, 0, 0, 1, arrays, &line, &to);
  if (rank == 0)
    printf("%s\n", text);
  sendwright_forget(&a);
  free(A);
}

/* Whatever the ranks' times are: all choose the same, and elements are where the sizes say. */
static void redistribute_often(void) {
  const struct sendwright_processors P = {"P", 0, 1, {4}, 0, 0, 0};
  struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0};
  struct sendwright_array *const arrays[] = {&a};
  const struct sendwright_distribution blocks = format(SENDWRIGHT_BLOCK),
                                       to = format(SENDWRIGHT_BALANCE);
  volatile double sum = 0;
  int wrong = 0, all, rows = 0, least[4], most[4];
  A = malloc(10 * sizeof *A);
  for (int i = 0; i < 10; i++)
    A[i] = 10 * rank + i;
  sizes[rank] = 10;
  sendwright_distribute(&site, &a, &P, &blocks);
  for (int step = 0; step < 50; step++) {
    int first = 0;
    for (int i = 0; i < (step ? sizes[rank] : 10); i++)
      for (int j = 0; j < 100 * (A[i] + 1); j++)
        sum += j;
    sendwright_redistribute(&site, 0, 0, 1, arrays, &to);
    for (int i = 0; i < rank; i++)
      first += sizes[i];
    for (int i = 0; i < sizes[rank]; i++)
      wrong += A[i] != first + i;
    MPI_Allreduce(sizes, least, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(sizes, most, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    wrong += memcmp(least, most, sizeof least) != 0;
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++)
    rows += sizes[i];
  if (rank == 0)
    printf("%d rows after 50 directives, %d wrong\n", rows, all);
  sendwright_forget(&a);
  free(A);
}

int main(int argc, char **argv) {
  MPI_Errhandler told;
  const struct sendwright_processors grid = {"Grid", 0, 2, {2, 2}, 0, 0, 0};
  struct sendwright_distribution balance = format(SENDWRIGHT_BALANCE);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handler, &told);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, told);
  redistribute(rank == 2, 0, 0, &balance);
  redistribute(0, 0, &grid, &balance);
  balance.extents[0] = rank == 1 ? 41 : 40;
  redistribute(0, 0, 0, &balance);
  balance.extents[0] = 40;
  redistribute(0, rank == 3 ? SENDWRIGHT_SCHEDULE_OPTIMAL : SENDWRIGHT_SCHEDULE_AUTO, 0, &balance);
  redistribute_divided();
  redistribute(0, 0, 0, &balance);
  redistribute_often();
  MPI_Finalize();
}
