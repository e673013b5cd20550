/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* C = A B on a torus of k x k workers, by pipe and roll (Fox's algorithm). Rank 0 deals a block
 * of A and one of B to each worker. In each round one worker of every row sends its block of A
 * east, from worker to worker; all multiply; then all blocks of B roll one place north, and
 * every worker sends before it receives. At the end rank 0 collects C.
 *
 *   matrix-multiplication [SIZE]     rows of a block, by default 8; on 1 + k * k ranks */

#include "example.h"

#include <string.h>

enum { a_tag = 1, b_tag, pipe_tag, roll_tag, c_tag };

static double a_value(int row, int column) { return (row * 7 + column * 3) % 11 - 5; }
static double b_value(int row, int column) { return (row * 5 + column * 13) % 17 - 8; }

typedef struct {
  int side, row, column, size;
} Place;

static int worker_at(Place place, int row, int column) {
  return 1 + (row + place.side) % place.side * place.side + (column + place.side) % place.side;
}

static void multiply(const double *a, const double *b, double *c, int size) {
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k)
      for (int j = 0; j < size; ++j)
        c[i * size + j] += a[i * size + k] * b[k * size + j];
}

/* Passes the block of A for this round along the row, from west to east. */
static void pipe_along_row(Place place, int round, const double *own, double *block) {
  int elements = place.size * place.size;
  int start = (place.row + round) % place.side;
  int behind = (place.column - start + place.side) % place.side; /* from the worker that starts */
  if (behind > 0)
    MPI_Recv(block, elements, MPI_DOUBLE, worker_at(place, place.row, place.column - 1), pipe_tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    memcpy(block, own, (size_t)elements * sizeof(double));
  if (behind + 1 < place.side)
    MPI_Send(block, elements, MPI_DOUBLE, worker_at(place, place.row, place.column + 1), pipe_tag,
             MPI_COMM_WORLD);
}

static void work(Place place) {
  size_t elements = (size_t)place.size * place.size;
  double *a = allocate(elements, sizeof(double)), *b = allocate(elements, sizeof(double));
  double *c = allocate(elements, sizeof(double)), *piped = allocate(elements, sizeof(double));
  int count = (int)elements;
  int north = worker_at(place, place.row - 1, place.column);
  int south = worker_at(place, place.row + 1, place.column);
  MPI_Recv(a, count, MPI_DOUBLE, 0, a_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(b, count, MPI_DOUBLE, 0, b_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int round = 0; round < place.side; ++round) {
    pipe_along_row(place, round, a, piped);
    multiply(piped, b, c, place.size);
    if (place.side > 1) {
      MPI_Send(b, count, MPI_DOUBLE, north, roll_tag, MPI_COMM_WORLD);
      MPI_Recv(b, count, MPI_DOUBLE, south, roll_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Send(c, count, MPI_DOUBLE, 0, c_tag, MPI_COMM_WORLD);
  free(a);
  free(b);
  free(c);
  free(piped);
}

static void fill(double *block, Place place, double (*value)(int, int)) {
  for (int i = 0; i < place.size; ++i)
    for (int j = 0; j < place.size; ++j)
      block[i * place.size + j] = value(place.row * place.size + i, place.column * place.size + j);
}

static void check(const double *c, Place place) {
  for (int i = 0; i < place.size; ++i)
    for (int j = 0; j < place.size; ++j) {
      int row = place.row * place.size + i, column = place.column * place.size + j;
      double expected = 0; /* whole numbers: exact in any order */
      for (int k = 0; k < place.side * place.size; ++k)
        expected += a_value(row, k) * b_value(k, column);
      require(c[i * place.size + j] == expected, "the product is wrong");
    }
}

static void deal_and_collect(int side, int size) {
  size_t elements = (size_t)size * size;
  double *block = allocate(elements, sizeof(double)), total = 0;
  for (int worker = 0; worker < side * side; ++worker) {
    Place place = {side, worker / side, worker % side, size};
    fill(block, place, a_value);
    MPI_Send(block, (int)elements, MPI_DOUBLE, worker + 1, a_tag, MPI_COMM_WORLD);
    fill(block, place, b_value);
    MPI_Send(block, (int)elements, MPI_DOUBLE, worker + 1, b_tag, MPI_COMM_WORLD);
  }
  for (int worker = 0; worker < side * side; ++worker) {
    Place place = {side, worker / side, worker % side, size};
    MPI_Recv(block, (int)elements, MPI_DOUBLE, worker + 1, c_tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    check(block, place);
    for (size_t i = 0; i < elements; ++i)
      total += block[i];
  }
  printf("matrix-multiplication: %d rows, sum of the product %.17g, checked\n", side * size, total);
  free(block);
}

int main(int argc, char **argv) {
  int rank, ranks, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int size = size_argument(argc, argv, 1, 8);
  while (side * side < ranks - 1)
    ++side;
  require(ranks >= 2 && side * side == ranks - 1, "expected 1 + k * k ranks");
  Place place = {side, (rank - 1) / side, (rank - 1) % side, size};
  if (rank > 0)
    work(place);
  else
    deal_and_collect(side, size);
  MPI_Finalize();
  return 0;
}
