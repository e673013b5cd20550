// Processors and maps that do not fit are found by all ranks before anything changes; the next correct
// redistribution works.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// CHECK: rank 0: Q lies on ranks 2 to 5, expected ranks of its communicator, 0 to 3
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: Q has 2 processors, expected as many as it is given ranks, 3
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: Q has 2 processors, expected as many as its communicator has ranks, 4
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: processors on ranks from 0 in steps of -1, expected ranks of the communicator
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: Q is of another communicator than P, expected the same ranks in the same order
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 2: A: the first rank of the new processors is 2, expected 0 as on rank 0
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 1: A: indirect gives index 39 to processor 7, expected 0 to 3
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 0: A: indirect names the owners of 39 indices, expected as many as the extent, 40
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: rank 3: A: indirect has a null pointer as its map, expected the owners of 40 indices
// CHECK-NEXT: 0 wrong
// CHECK-NEXT: no error
// CHECK-NEXT: 0 wrong

#include "../inputs/redistribution-errors.h"

static struct sendwright_site site = {"errors-of-processors.c", "main", 42, 0, 0, 0, 0};
static int map[40];

static struct sendwright_distribution format(unsigned kind) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.dimension[0].sizes = kind == SENDWRIGHT_INDIRECT ? map : 0;
  d.dimension[0].size_bytes = sizeof(int);
  d.dimension[0].sizes_signed = 1;
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
  MPI_Comm reversed;
  struct sendwright_processors Q = {"Q", 0, 1, {2}, 2, 5, 3};
  struct sendwright_distribution cyclic = format(SENDWRIGHT_CYCLIC), by_map;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_create_errhandler(handler, &told);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, told);
  redistribute(&Q, &cyclic);
  Q.first = 0, Q.last = 2, Q.stride = 1;
  redistribute(&Q, &cyclic);
  Q.stride = 0;
  redistribute(&Q, &cyclic);
  Q.stride = -1;
  redistribute(&Q, &cyclic);
  Q.last = 3, Q.stride = 2, Q.communicator = &reversed;
  redistribute(&Q, &cyclic);
  Q.first = rank == 2 ? 2 : 0, Q.last = rank == 2 ? 3 : 1, Q.stride = 1, Q.communicator = 0;
  redistribute(&Q, &cyclic);
  by_map = format(SENDWRIGHT_INDIRECT);
  map[39] = rank == 1 ? 7 : 3;
  redistribute(0, &by_map);
  map[39] = 3;
  by_map.dimension[0].size_count = 39;
  redistribute(0, &by_map);
  by_map.dimension[0].size_count = -1;
  if (rank == 3)
    by_map.dimension[0].sizes = 0;
  redistribute(0, &by_map);
  by_map.dimension[0].sizes = map;
  Q.first = 1, Q.last = 3, Q.stride = 2;
  redistribute(&Q, &cyclic);
  MPI_Finalize();
}
