// A program in C whose arrays follow the load of a template's rows: block sizes by balance, halos by reflect, and
// arrays that come and go.
//
// RUN: %mpicc -std=c99 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: %mpirun 5 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=100 %mpirun 4 %t | %FileCheck %s
// CHECK: 0 wrong, the last block is the smallest

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 60, columns = 4 };

static int rank, ranks;

static void *room(int elements, unsigned long size) { return malloc((unsigned long)elements * size + 1); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int length = (rows + ranks - 1) / ranks;
  int first = rank * length < rows ? rank * length : rows;
  int own = first + length < rows ? length : rows - first;
  int *sizes = room(ranks, sizeof *sizes), wrong = 0, all;
  double(*state)[columns] = room(own + 2, sizeof *state);
  float *load = room(own, sizeof *load);
  #pragma hpf processors P(ranks)
  #pragma hpf template T(rows)
  #pragma hpf distribute T(block) onto P
  #pragma hpf align state(i, *) with T(i)
  #pragma hpf shadow state(1:1, 0)
  #pragma hpf align load(row) with state(row, *)
  #pragma hpf dynamic T
  for (int i = 0; i < own; i++) {
    load[i] = (float)(1 + first + i);
    for (int j = 0; j < columns; j++)
      state[i + 1][j] = columns * (first + i) + j;
  }
  for (int round = 0; round < 3; round++) {
    char *marks = room(own, 1);
    #pragma hpf align marks(i) with T(i)
    for (int i = 0; i < own; i++)
      marks[i] = (char)(first + i + round);
    if (round == 1) {
      #pragma hpf redistribute T(block)
      first = rank * length < rows ? rank * length : rows;
      own = first + length < rows ? length : rows - first;
    } else {
      #pragma hpf redistribute T(balance(load, sizes))
      first = 0;
      for (int before = 0; before < rank; before++)
        first += sizes[before];
      own = sizes[rank];
    }
    #pragma hpf reflect state
    for (int i = -1; i <= own && own > 0; i++)
      for (int j = 0; j < columns; j++)
        wrong += first + i >= 0 && first + i < rows && state[i + 1][j] != columns * (first + i) + j;
    for (int i = 0; i < own; i++)
      wrong += load[i] != (float)(1 + first + i) || marks[i] != (char)(first + i + round);
    free(marks);
  }
  for (int other = 0; other < ranks; other++)
    wrong += sizes[other] < sizes[ranks - 1];
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong, the last block is the smallest\n", all);
  free(state);
  free(load);
  free(sizes);
  MPI_Finalize();
}
