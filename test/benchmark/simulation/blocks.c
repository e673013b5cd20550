/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Moves an array of doubles from one random GEN_BLOCK distribution to the next, round and round,
 * for redistribution-on-smpi to time.
 *
 *     blocks ELEMENTS DISTRIBUTIONS MOVES SEED VARIATION
 *
 * VARIATION: 1, cut anywhere; less: each cut that near its place in equal blocks, in blocks. */

#include <sendwright/required.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long state;

static double uniform(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(state >> 11) / 9007199254740992.0;
}

static int ascending(const void *a, const void *b) {
  const long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

static void cut(long long *sizes, int ranks, long long elements, double variation) {
  long long *begin = malloc(sizeof *begin * (ranks + 1));
  begin[0] = 0;
  for (int i = 1; i < ranks; ++i)
    begin[i] =
        (long long)((variation < 1 ? (i + variation * (uniform() - 0.5)) / ranks : uniform()) *
                    (double)elements);
  begin[ranks] = elements;
  qsort(begin + 1, ranks - 1, sizeof *begin, ascending);
  for (int i = 0; i < ranks; ++i)
    sizes[i] = begin[i + 1] - begin[i];
  free(begin);
}

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6) {
    fprintf(stderr, "usage: blocks ELEMENTS DISTRIBUTIONS MOVES SEED VARIATION\n");
    return 2;
  }
  const long long elements = atoll(argv[1]);
  const int distributions = atoi(argv[2]), moves = atoi(argv[3]);
  state = strtoull(argv[4], 0, 10);
  const double variation = atof(argv[5]);
  long long *all_sizes = malloc(sizeof *all_sizes * ranks * distributions), *sizes = all_sizes;
  for (int i = 0; i < distributions; ++i)
    cut(all_sizes + (long long)i * ranks, ranks, elements, variation);
  long long first = 0;
  for (int i = 0; i < rank; ++i)
    first += sizes[i];
  double *A = malloc(sizeof *A * (sizes[rank] + 1));
  for (long long i = 0; i < sizes[rank]; ++i)
    A[i] = (double)(first + i);
#pragma hpf processors P(ranks)
#pragma hpf distribute A(gen_block(sizes)) onto P
#pragma hpf dynamic A
  for (int move = 1; move <= moves; ++move) {
    sizes = all_sizes + (long long)(move % distributions) * ranks;
#pragma hpf redistribute A(gen_block(sizes))
  }
  first = 0;
  for (int i = 0; i < rank; ++i)
    first += sizes[i];
  for (long long i = 0; i < sizes[rank]; ++i)
    wrong += A[i] != (double)(first + i);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s\n", all ? "elements are wrong" : "all elements are in place");
  free(A);
  free(all_sizes);
  MPI_Finalize();
  return all != 0;
}
