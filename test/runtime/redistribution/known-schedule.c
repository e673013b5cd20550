// A schedule known at compile time is used if it consists of exactly the messages for these sizes;
// if it is for other sizes, or would make ranks wait for one another forever, it is ignored. The
// messages arrive in either case.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 3 %t | %FileCheck %s
// CHECK: fits: 0 wrong
// CHECK-NEXT: other sizes: 0 wrong
// CHECK-NEXT: other messages: 0 wrong
// CHECK-NEXT: before MPI_Init: nothing moved

#include "../inputs/gen-block.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* pairDigest() of these blocks, in analysis/redistribution/PairDigest.h. */
#define PAIR 0x1c0cc55423d7e109ull

static struct sendwright_site site = {"known.c", "main", 1, 0, 0, 0, 0};
static double *A;
static int rank;

/* From blocks of 4, 4, 4 to 2, 3, 7. */
static struct sendwright_scheduled_message messages[] = {
    {0, 0, 0, 2}, {0, 1, 0, 2}, {1, 1, 0, 1}, {1, 2, 0, 3}, {2, 2, 0, 4}};

static void move(const char *what, unsigned long long pair) {
  const int before[3] = {4, 4, 4}, after[3] = {2, 3, 7}, begin[3] = {0, 2, 5};
  struct sendwright_schedule known = {pair, 0, 5, messages};
  struct sendwright_processors onto = {"P", 0, 1, {3, 0}};
  struct sendwright_array array = {"A", &A, sizeof(double), 0, 0};
  struct sendwright_array *const arrays[] = {&array};
  struct sendwright_distribution d = gen_block(before, 3, -1);
  int wrong = 0, all;
  A = malloc(sizeof(double) * 4);
  for (int i = 0; i < 4; ++i)
    A[i] = 4 * rank + i;
  sendwright_distribute(&site, &array, &onto, &d);
  d = gen_block(after, 3, -1);
  sendwright_redistribute(&site, 0, &known, 1, arrays, &d);
  for (int i = 0; i < after[rank]; ++i)
    wrong += A[i] != begin[rank] + i;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d wrong\n", what, all);
  sendwright_forget(&array);
  free(A);
}

int main(int argc, char **argv) {
  /* Before MPI_Init nothing is moved, and a line says so. */
  struct sendwright_processors onto = {"P", 0, 1, {3, 0}};
  struct sendwright_array array = {"A", &A, sizeof(double), 0, 0};
  struct sendwright_array *const arrays[] = {&array};
  const int sizes[3] = {1, 1, 1};
  struct sendwright_distribution d = gen_block(sizes, 3, -1);
  double one = 1, *const before = &one;
  A = before;
  sendwright_distribute(&site, &array, &onto, &d);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);
  const int moved = A != before;
  sendwright_forget(&array);

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  move("fits", PAIR);
  move("other sizes", PAIR + 1);
  messages[3].elements = 2;
  move("other messages", PAIR);
  if (rank == 0)
    printf("before MPI_Init: %s\n", moved ? "moved" : "nothing moved");
  MPI_Finalize();
  return 0;
}
