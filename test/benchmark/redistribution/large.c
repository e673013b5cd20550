/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* An array of more than 2^31 elements (and bytes) in one message: rank 0 has all of it, then
 * rank 1, then all ranks have every so many blocks of 1000 elements, and then rank 0 again.
 * Every element is checked. Takes 5 GB of memory, so it is run by hand:
 *
 *     mpicc -O1 -Iruntime/include test/benchmark/redistribution/large.c -o /tmp/large \
 *       -Lbuild/lib -Wl,-rpath,$PWD/build/lib -lsendwright && test/mpirun -np 2 /tmp/large */

#include <sendwright/redistribution.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long long elements = 2200000000LL;
static int rank, ranks;
static unsigned char *A;
static struct sendwright_site site = {"large.c", "main", 1, 0, 0, 0, 0};

static unsigned char value(long long number) {
  return (unsigned char)((unsigned long long)number * 2654435761ull >> 20);
}

static struct sendwright_distribution all_at(int owner) {
  static long long sizes[64];
  struct sendwright_distribution made;
  memset(&made, 0, sizeof made);
  for (int i = 0; i < ranks; ++i)
    sizes[i] = i == owner ? elements : 0;
  made.dimensions = 1;
  made.dimension[0].kind = SENDWRIGHT_GEN_BLOCK;
  made.dimension[0].sizes = sizes;
  made.dimension[0].size_bytes = sizeof(long long);
  made.dimension[0].sizes_signed = 1;
  made.dimension[0].size_count = ranks;
  made.extents[0] = elements;
  return made;
}

static struct sendwright_distribution in_turns(void) {
  struct sendwright_distribution made;
  memset(&made, 0, sizeof made);
  made.dimensions = 1;
  made.dimension[0].kind = SENDWRIGHT_CYCLIC;
  made.dimension[0].parameter = 1000;
  return made;
}

static void check(const char *what, int owner) {
  long long wrong = 0, all, looked = 0;
  for (long long i = 0, number; owner < 0 || owner == rank; ++i, ++looked) {
    number = owner < 0 ? (i / 1000 * ranks + rank) * 1000 + i % 1000 : i;
    if (number >= elements)
      break;
    wrong += A[i] != value(number);
  }
  MPI_Reduce(&wrong, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&looked, &wrong, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %lld of %lld elements wrong\n", what, all, wrong);
  fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const struct sendwright_processors onto = {"P", 0, 1, {ranks, 0}};
  struct sendwright_array array = {"A", &A, 1, 0, 0};
  struct sendwright_array *const arrays[] = {&array};
  struct sendwright_distribution d = all_at(0);
  A = malloc(rank == 0 ? elements : 1);
  for (long long i = 0; rank == 0 && i < elements; ++i)
    A[i] = value(i);
  sendwright_distribute(&site, &array, &onto, &d);
  d = all_at(1);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);
  check("rank 1", 1);
  d = in_turns();
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);
  check("in turns", -1);
  d = all_at(0);
  sendwright_redistribute(&site, 0, 0, 1, arrays, &d);
  check("rank 0", 0);
  sendwright_forget(&array);
  free(A);
  MPI_Finalize();
  return 0;
}
