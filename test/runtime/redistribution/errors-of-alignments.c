// Alignments that cannot be are found before anything moves; afterwards everything is as it was. What ends takes
// nothing along.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// CHECK: rank 0: B: dimension 1 has an extent of 41, expected at most 40, as far as A reaches (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: rank 0: B: dimension 1 begins at index -1 of A, expected 0 to 40 (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: rank 0: B: dimension 1 lies along dimension 3, expected 1 to 1 (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: rank 0: B is aligned with A (at errors-of-alignments.c:42) and moves with it, expected redistribute of A
// CHECK-NEXT: rank 1: B is a null pointer, expected a block of 10 elements (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: rank 0: B moves with A, expected an array that does not
// CHECK-NEXT: rank 0: B is aligned with itself, expected another array
// CHECK-NEXT: rank 0: B: extent(39), expected the array's 40
// CHECK-NEXT: rank 0: B: an alignment of 2 dimensions, expected the array's 1
// CHECK-NEXT: B is not distributed, expected a distribute directive before
// CHECK-NEXT: rank 0: T is not distributed, expected a distribute or align directive before
// CHECK-NEXT: rank 3: the number of arrays is 1, expected 2 as on rank 0
// CHECK-NEXT: rank 0: N: dimension 2 lies along dimension 1, expected the divided dimensions in the order of M (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: rank 0: N: nothing lies along dimension 2 of M, which is divided, so each processor would have a copy; expected * for it (distributed at errors-of-alignments.c:42)
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: on its own: 0 wrong

#include "../inputs/redistribution-errors.h"

static struct sendwright_site site = {"errors-of-alignments.c", "main", 42, 0, 0, 0, 0};
static struct sendwright_processors P = {"P", 0, 1, {4}, 0, 0, 0}, Q = {"Q", 0, 2, {2, 2}, 0, 0, 0};
static double *B, *M, *N;
static struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0}, b = {"B", &B, sizeof(double), 0, 0, 0},
                               m = {"M", &M, sizeof(double), 0, 0, 0}, t = {"T", 0, 0, 0, 0, 2};
static struct sendwright_array *const onlyA[] = {&a}, *const onlyB[] = {&b}, *const onlyM[] = {&m};

static struct sendwright_distribution format(unsigned kind, long long extent) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.extents[0] = extent;
  return d;
}

static struct sendwright_distribution both(unsigned first, unsigned second, unsigned along, unsigned also) {
  struct sendwright_distribution d = format(first, -1);
  d.dimensions = 2;
  d.dimension[1].kind = second;
  d.dimension[0].along = along;
  d.dimension[1].along = also;
  d.extents[1] = -1;
  return d;
}

static void print(void) {
  const char *from = strstr(text, ": rank");
  if (rank == 0)
    printf("%s\n", from ? from + 2 : strstr(text, "42: ") ? strstr(text, "42: ") + 4 : text);
  text[0] = 0;
}

/* Aligns B with A, which must fail when A moves. */
static void alignWrongly(long long extent, long long first, unsigned along) {
  struct sendwright_distribution like = format(SENDWRIGHT_ALIGNED, extent);
  const struct sendwright_distribution cyclic = format(SENDWRIGHT_CYCLIC, 40);
  like.dimension[0].parameter = first;
  like.dimension[0].along = along;
  sendwright_align(&site, &b, &a, &like);
  sendwright_redistribute(&site, 0, 0, 1, onlyA, &cyclic);
  print();
}

static int wrongAfter(int cyclicly) {
  int wrong = 0, all;
  for (int i = 0; i < 10; i++) {
    const int index = cyclicly ? 4 * i + rank : 10 * rank + i;
    wrong += A[i] != index || B[i] != 2 * index;
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

static void realignWrongly(void) {
  const struct sendwright_distribution like = format(SENDWRIGHT_ALIGNED, -1), shorter = format(SENDWRIGHT_ALIGNED, 39),
                                       two = both(SENDWRIGHT_ALIGNED, SENDWRIGHT_COLLAPSED, 0, 0);
  struct sendwright_array *const missing[] = {&b};
  void *const state = b.state;
  sendwright_realign(&site, 1, onlyA, &b, &like);
  print();
  sendwright_realign(&site, 1, onlyB, &b, &like);
  print();
  sendwright_realign(&site, 1, onlyB, &a, &shorter);
  print();
  sendwright_realign(&site, 1, onlyB, &a, &two);
  print();
  b.state = 0;
  sendwright_realign(&site, 1, missing, &a, &like);
  print();
  b.state = state;
  sendwright_realign(&site, 1, onlyB, &t, &like);
  print();
}

int main(int argc, char **argv) {
  MPI_Errhandler told;
  const struct sendwright_distribution like = format(SENDWRIGHT_ALIGNED, -1), cyclic = format(SENDWRIGHT_CYCLIC, 40),
                                       blocks = format(SENDWRIGHT_BLOCK, 40);
  struct sendwright_distribution square = both(SENDWRIGHT_BLOCK, SENDWRIGHT_BLOCK, 0, 0);
  int wrong;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(handler, &told);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, told);
  A = malloc(10 * sizeof *A), B = malloc(10 * sizeof *B);
  for (int i = 0; i < 10; i++)
    A[i] = 10 * rank + i, B[i] = 2 * A[i];
  sendwright_distribute(&site, &a, &P, &blocks);
  alignWrongly(41, 0, 0);
  alignWrongly(-1, -1, 0);
  alignWrongly(-1, 0, 2);
  sendwright_align(&site, &b, &a, &like);
  sendwright_redistribute(&site, 0, 0, 1, onlyB, &cyclic);
  print();
  double *const block = B;
  if (rank == 1)
    B = 0;
  sendwright_redistribute(&site, 0, 0, 1, onlyA, &cyclic);
  print();
  B = block;
  realignWrongly();
  if (rank == 3)
    sendwright_forget(&b);
  sendwright_redistribute(&site, 0, 0, 1, onlyA, &cyclic);
  print();
  if (rank == 3)
    sendwright_align(&site, &b, &a, &like);
  /* A matrix in two dimensions: N's dimensions in another order, then too few. */
  square.extents[0] = square.extents[1] = 2;
  M = malloc(sizeof *M);
  sendwright_distribute(&site, &m, &Q, &square);
  struct sendwright_array other = {"N", &N, sizeof(double), 0, 0, 0};
  const struct sendwright_distribution crossed = both(SENDWRIGHT_ALIGNED, SENDWRIGHT_ALIGNED, 1, 0);
  sendwright_align(&site, &other, &m, &crossed);
  sendwright_redistribute(&site, 0, 0, 1, onlyM, &square);
  print();
  sendwright_align(&site, &other, &m, &like);
  sendwright_redistribute(&site, 0, 0, 1, onlyM, &square);
  print();
  sendwright_forget(&other);
  sendwright_redistribute(&site, 0, 0, 1, onlyA, &cyclic);
  wrong = wrongAfter(1);
  if (rank == 0)
    printf("%d wrong\n", wrong);
  /* When A is forgotten, B stays, and is then moved alone. */
  sendwright_forget(&a);
  sendwright_distribute(&site, &a, &P, &cyclic);
  sendwright_redistribute(&site, 0, 0, 1, onlyA, &blocks);
  sendwright_redistribute(&site, 0, 0, 1, onlyB, &blocks);
  wrong = wrongAfter(0);
  if (rank == 0)
    printf("on its own: %d wrong\n", wrong);
  sendwright_forget(&a), sendwright_forget(&b), sendwright_forget(&m);
  free(A), free(B), free(M);
  MPI_Finalize();
}
