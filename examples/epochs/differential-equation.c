/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The temperature of a rod over time (u_t = u_xx, ends kept cold), by explicit steps. Workers
 * form a line and hold a piece each; in every step each sends its outer points to both
 * neighbours before it receives theirs. At the end rank 0 collects the pieces.
 *
 *   differential-equation [POINTS [STEPS]]     by default 4096 1000 */

#include "example.h"

#include <math.h>
#include <string.h>

enum { left_tag = 1, right_tag, piece_tag };

static double start_value(int point, int points) {
  return sin(3.141592653589793 * (point + 1) / (points + 1)) + 0.25 * (point % 7);
}

/* The points from 1 to `count`; `old` has one further point on either side. */
static void step(const double *old, double *new_values, int count) {
  for (int point = 1; point <= count; ++point)
    new_values[point] = old[point] + 0.25 * (old[point - 1] - 2 * old[point] + old[point + 1]);
}

static void work(int rank, int ranks, int points, int steps) {
  int first = first_of(rank - 1, ranks - 1, points), count = count_of(rank - 1, ranks - 1, points);
  double *now = allocate((size_t)count + 2, sizeof(double));
  double *next = allocate((size_t)count + 2, sizeof(double));
  for (int point = 0; point < count; ++point)
    now[point + 1] = start_value(first + point, points);
  for (int t = 0; t < steps; ++t) {
    if (rank > 1)
      MPI_Send(&now[1], 1, MPI_DOUBLE, rank - 1, left_tag, MPI_COMM_WORLD);
    if (rank + 1 < ranks)
      MPI_Send(&now[count], 1, MPI_DOUBLE, rank + 1, right_tag, MPI_COMM_WORLD);
    if (rank > 1)
      MPI_Recv(&now[0], 1, MPI_DOUBLE, rank - 1, right_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < ranks)
      MPI_Recv(&now[count + 1], 1, MPI_DOUBLE, rank + 1, left_tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    step(now, next, count);
    double *swap = now;
    now = next;
    next = swap;
  }
  MPI_Send(&now[1], count, MPI_DOUBLE, 0, piece_tag, MPI_COMM_WORLD);
  free(now);
  free(next);
}

static void collect(int ranks, int points, int steps) {
  double *rod = allocate((size_t)points + 2, sizeof(double));
  double *now = allocate((size_t)points + 2, sizeof(double));
  double *next = allocate((size_t)points + 2, sizeof(double));
  for (int worker = 0; worker < ranks - 1; ++worker)
    MPI_Recv(&rod[1 + first_of(worker, ranks - 1, points)], count_of(worker, ranks - 1, points),
             MPI_DOUBLE, worker + 1, piece_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int point = 0; point < points; ++point)
    now[point + 1] = start_value(point, points);
  for (int t = 0; t < steps; ++t) {
    step(now, next, points);
    double *swap = now;
    now = next;
    next = swap;
  }
  require(!memcmp(rod, now, ((size_t)points + 2) * sizeof(double)),
          "the pieces together differ from the whole rod");
  printf("differential-equation: %d points, %d steps, middle %.17g, checked\n", points, steps,
         rod[1 + points / 2]);
  free(rod);
  free(now);
  free(next);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int points = size_argument(argc, argv, 1, 4096), steps = size_argument(argc, argv, 2, 1000);
  require(ranks >= 2 && points >= ranks - 1,
          "expected two ranks or more, and a point for each worker");
  if (rank > 0)
    work(rank, ranks, points, steps);
  else
    collect(ranks, points, steps);
  MPI_Finalize();
  return 0;
}
