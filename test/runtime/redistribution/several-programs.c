// Two programs of one job redistribute one array over all ranks, and each another array over its
// own ranks only: every element arrives. Then one program gives other sizes, which both are told.
//
// RUN: %mpicc -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpicc -O1 -DSECOND -I%source_root/runtime/include %s -o %t.second %runtime
// RUN: %mpirun 2 %t : -np 3 %t.second 2>&1 | sort | %FileCheck %s
// CHECK: first: 20 redistributions, 0 wrong elements
// CHECK: rank 0 was told: sendwright: redistribute at several.c:1: rank 2: A: new size 1 of
// dimension 1 is 5, expected 3 as on rank 0 CHECK: second: 20 redistributions, 0 wrong elements

#include <sendwright/redistribution.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { extent = 60, rounds = 10 };
#ifdef SECOND
static const char *const program = "second";
#else
static const char *const program = "first";
#endif
static struct sendwright_site site = {"several.c", "main", 1, 0, 0, 0, 0};

struct test_array {
  struct sendwright_array array;
  double *block;
  MPI_Comm communicator;
  int sizes[8], rank, ranks;
};

/* Sizes that sum to the extent, different in each round. */
static void fill_sizes(struct test_array *a, int round) {
  int left = extent;
  for (int i = 0; i < a->ranks; ++i) {
    a->sizes[i] = i + 1 == a->ranks ? left : 3 + (5 * i + 7 * round) % 9;
    left -= a->sizes[i];
  }
}

static int begin_of(const struct test_array *a) {
  int begin = 0;
  for (int i = 0; i < a->rank; ++i)
    begin += a->sizes[i];
  return begin;
}

static struct sendwright_distribution distribution(const struct test_array *a) {
  struct sendwright_distribution made;
  memset(&made, 0, sizeof made);
  made.dimensions = 1;
  made.dimension[0].kind = SENDWRIGHT_GEN_BLOCK;
  made.dimension[0].sizes = a->sizes;
  made.dimension[0].size_bytes = sizeof(int);
  made.dimension[0].sizes_signed = 1;
  made.dimension[0].size_count = a->ranks;
  made.extents[0] = extent;
  return made;
}

static void make(struct test_array *a, MPI_Comm communicator) {
  a->communicator = communicator;
  MPI_Comm_rank(communicator, &a->rank);
  MPI_Comm_size(communicator, &a->ranks);
  fill_sizes(a, 0);
  a->block = malloc(sizeof(double) * a->sizes[a->rank]);
  for (int i = 0; i < a->sizes[a->rank]; ++i)
    a->block[i] = begin_of(a) + i;
  const struct sendwright_array array = {"A", &a->block, sizeof(double), 0, 0};
  a->array = array;
  const struct sendwright_processors onto = {"P", &a->communicator, 1, {a->ranks, 0}};
  const struct sendwright_distribution as = distribution(a);
  sendwright_distribute(&site, &a->array, &onto, &as);
}

static int move(struct test_array *a) {
  struct sendwright_array *const arrays[] = {&a->array};
  const struct sendwright_distribution to = distribution(a);
  int wrong = 0;
  sendwright_redistribute(&site, SENDWRIGHT_SCHEDULE_AUTO, 0, 1, arrays, &to);
  for (int i = 0; i < a->sizes[a->rank]; ++i)
    wrong += a->block[i] != begin_of(a) + i;
  return wrong;
}

static void drop(struct test_array *a) {
  sendwright_forget(&a->array);
  free(a->block);
}

static void tell(MPI_Comm *communicator, int *code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length, rank;
  MPI_Comm_rank(*communicator, &rank);
  MPI_Error_string(*code, text, &length);
  if (rank == 0)
    printf("rank %d was told: %s\n", rank, text);
}

int main(int argc, char **argv) {
  struct test_array everywhere, here;
  MPI_Comm own;
  MPI_Errhandler handler;
  int moves = 0, wrong = 0, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_split(MPI_COMM_WORLD, !strcmp(program, "second"), 0, &own);
  make(&everywhere, MPI_COMM_WORLD);
  make(&here, own);
  for (int round = 1; round <= rounds; ++round, moves += 2) {
    fill_sizes(&everywhere, round);
    fill_sizes(&here, round + strcmp(program, "first"));
    wrong += move(&here);
    wrong += move(&everywhere);
  }
  MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, own);
  if (here.rank == 0)
    printf("%s: %d redistributions, %d wrong elements\n", program, moves, sum);
  MPI_Comm_create_errhandler(tell, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  fill_sizes(&everywhere, 0);
#ifdef SECOND
  everywhere.sizes[0] += 2;
  everywhere.sizes[1] -= 2;
#endif
  struct sendwright_array *const arrays[] = {&everywhere.array};
  const struct sendwright_distribution to = distribution(&everywhere);
  sendwright_redistribute(&site, SENDWRIGHT_SCHEDULE_AUTO, 0, 1, arrays, &to);
  drop(&everywhere);
  drop(&here);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}
