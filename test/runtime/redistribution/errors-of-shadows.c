// Shadows that do not fit are found before anything moves; a reflection that is not over keeps the block.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// CHECK: rank 0: A has a shadow, expected block, gen_block or * in dimensions with a shadow
// CHECK-NEXT: rank 0: A: a shadow of -1 cells in dimension 1, expected 0 to 2^31
// CHECK-NEXT: rank 0: A: a shadow of 2 dimensions, expected the array's 1
// CHECK-NEXT: rank 2: A: the width of the upper shadow in dimension 1 is 3, expected 1 as on rank 0
// CHECK-NEXT: rank 0: A is being reflected, expected reflect_end before
// CHECK-NEXT: A is being reflected, expected reflect_end before
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 1 reflects something else, expected the same distribution, shadow, periodic and corners on all ranks
// CHECK-NEXT: 3 ranks found it, 0 of them with changed cells
// CHECK-NEXT: rank 1 reflects something else, expected the same distribution, shadow, periodic and corners on all ranks
// CHECK-NEXT: 3 ranks found it, 0 of them with changed cells

#include "../inputs/redistribution-errors.h"

static struct sendwright_site site = {"errors-of-shadows.c", "main", 42, 0, 0, 0, 0};
static struct sendwright_processors P = {"P", 0, 1, {4}, 0, 0, 0};
static struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0};

static struct sendwright_distribution format(unsigned kind) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.extents[0] = 40;
  return d;
}

static void distribute(unsigned dimensions, const long long *widths) {
  const struct sendwright_distribution blocks = format(SENDWRIGHT_BLOCK);
  sendwright_distribute(&site, &a, &P, &blocks);
  sendwright_shadow(&site, &a, dimensions, widths);
}

static void print(void) {
  const char *from = strstr(text, ": rank") ? strstr(text, ": rank") + 2 : strstr(text, ": A ");
  if (rank == 0)
    printf("%s\n", from ? from + (*from == ':' ? 2 : 0) : text);
  text[0] = 0;
}

/* Rank 1 reflects other cells. Its partners find it, and leave theirs as they are. */
static void reflect_otherwise(unsigned corners, const long long *widths) {
  const long long none[] = {0};
  int own[2] = {0, 0}, all[2];
  distribute(1, widths);
  A[0] = A[11] = A[12] = -1;
  sendwright_reflect_begin(&site, &a, corners, 1, none);
  sendwright_reflect_end(&site, &a);
  own[0] = text[0] != 0;
  own[1] = own[0] && (A[0] != -1 || A[11] != -1 || A[12] != -1);
  print();
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d ranks found it, %d of them with changed cells\n", all[0], all[1]);
}

int main(int argc, char **argv) {
  MPI_Errhandler told;
  struct sendwright_array *const arrays[] = {&a};
  const struct sendwright_distribution cyclic = format(SENDWRIGHT_CYCLIC),
                                       blocks = format(SENDWRIGHT_BLOCK);
  const long long one[] = {1, 1}, negative[] = {-1, 1}, two[] = {1, 1, 1, 1}, none[] = {0};
  long long uneven[] = {1, 1};
  int wrong = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handler, &told);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, told);
  A = malloc(14 * sizeof *A);
  for (int i = 0; i < 10; i++)
    A[1 + i] = 10 * rank + i;
  distribute(1, one);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &cyclic);
  print();
  distribute(1, negative);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &blocks);
  print();
  distribute(2, two);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &blocks);
  print();
  uneven[1] = rank == 2 ? 3 : 1;
  distribute(1, uneven);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &blocks);
  print();
  distribute(1, one);
  sendwright_reflect_begin(&site, &a, 0, 1, none);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &blocks);
  print();
  sendwright_reflect_begin(&site, &a, 0, 1, none);
  print();
  sendwright_reflect_end(&site, &a);
  for (int i = 0; i < 12; i++)
    wrong += i + 10 * rank > 0 && i + 10 * rank < 41 && A[i] != 10 * rank + i - 1;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong\n", all);
  reflect_otherwise(rank == 1, one);
  uneven[1] = rank == 1 ? 2 : 1;
  reflect_otherwise(0, uneven);
  sendwright_forget(&a);
  free(A);
  MPI_Finalize();
}
