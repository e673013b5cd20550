/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A flame eats its way through a plate of fuel: the heat equation with a source that needs an
 * iteration where it burns, and costs nothing elsewhere. So the cost of a row depends on how
 * much flame is in it, and each rank's work changes all the time. Every so many steps a directive
 * gives the ranks new blocks of rows, where that pays, by the time that each of them computed.
 *
 *   flame [ROWS [COLUMNS [STEPS [EVERY]]]]     by default 192 128 400 3; EVERY 0: never
 *
 * The result is compared with that of one rank, bit for bit. */

#include <sendwright/required.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double conduction = 0.2, burning = 0.05, activation = 3.0, spark = 2.0;

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "flame: out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

/* The hot end of the plate burns; the rest is cold and full of fuel. */
static void ignite(double *heat, double *fuel, int first, int rows, int columns) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      heat[(size_t)row * columns + column] = first + row < 4 ? spark : 0.1;
      fuel[(size_t)row * columns + column] = 1 + 0.1 * ((first + row + 3 * column) % 7);
    }
}

/* The heat after a step in which the cell burns at the rate of that heat, by bisection. Counts
 * the operations. */
static double burn(double before, double fuel, long *operations) {
  double low = before, high = before + burning * fuel;
  if (before < 0.3 || fuel < 1e-3)
    return before;
  for (int round = 0; round < 48; ++round) {
    double middle = (low + high) / 2;
    if (middle < before + burning * fuel * exp(-activation / middle))
      low = middle;
    else
      high = middle;
    *operations += 30;
  }
  return low;
}

/* Computes one row of a step from the rows around it. */
static long step_row(const double *above, const double *row, const double *below, double *fuel,
                     double *result, int columns) {
  long operations = 10L * columns;
  for (int column = 0; column < columns; ++column) {
    double left = row[column > 0 ? column - 1 : column];
    double right = row[column < columns - 1 ? column + 1 : column];
    double moved =
        row[column] + conduction * (above[column] + below[column] + left + right - 4 * row[column]);
    result[column] = burn(moved, fuel[column], &operations);
    fuel[column] -= fuel[column] < result[column] - moved ? fuel[column] : result[column] - moved;
  }
  return operations;
}

/* Tells the simulator how much was computed, as it does not measure computation. */
static void charge(long operations) {
#ifdef SMPI_H
  smpi_execute_flops((double)operations);
#else
  (void)operations;
#endif
}

/* Computes a step of some rows; there is a row above them and one below. Returns what it cost. */
static long step(const double *heat, double *fuel, double *next, int rows, int columns) {
  long sum = 0;
  for (int row = 1; row <= rows; ++row) {
    const double *here = heat + (size_t)row * columns;
    sum += step_row(here - columns, here, here + columns, fuel + (size_t)(row - 1) * columns,
                    next + (size_t)row * columns, columns);
  }
  return sum;
}

/* The ends of the plate keep their heat: the row beyond is like the last one. */
static void close_ends(double *heat, int first, int rows, int all, int columns) {
  size_t row = columns * sizeof *heat;
  if (rows > 0 && first == 0)
    memcpy(heat, heat + columns, row);
  if (rows > 0 && first + rows == all)
    memcpy(heat + (size_t)(rows + 1) * columns, heat + (size_t)rows * columns, row);
}

static void swap(double **one, double **other) {
  double *kept = *one;
  *one = *other;
  *other = kept;
}

/* The result computed by one rank alone. The caller frees it. */
static double *serial(int rows, int columns, int steps) {
  double *heat = allocate((size_t)(rows + 2) * columns, sizeof *heat);
  double *next = allocate((size_t)(rows + 2) * columns, sizeof *next);
  double *fuel = allocate((size_t)rows * columns, sizeof *fuel);
  ignite(heat + columns, fuel, 0, rows, columns);
  for (int i = 0; i < steps; ++i) {
    close_ends(heat, 0, rows, rows, columns);
    step(heat, fuel, next, rows, columns);
    swap(&heat, &next);
  }
  free(fuel);
  free(next);
  return heat;
}

static int first_of(const int *sizes, int rank) {
  int first = 0;
  for (int i = 0; i < rank; ++i)
    first += sizes[i];
  return first;
}

static int argument(int count, char **values, int index, int otherwise, int least) {
  int value = index < count ? atoi(values[index]) : otherwise;
  if (value < least) {
    fprintf(stderr, "flame: argument %d is %s, expected a number from %d on\n", index,
            values[index], least);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return value;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int rows = argument(argc, argv, 1, 192, ranks), columns = argument(argc, argv, 2, 128, 1);
  int steps = argument(argc, argv, 3, 400, 0), every = argument(argc, argv, 4, 3, 0);

  int *sizes = allocate(ranks, sizeof *sizes);
  for (int i = 0; i < ranks; ++i)
    sizes[i] = rows / ranks + (i < rows % ranks);
  int mine = sizes[rank], first = first_of(sizes, rank);
  double *heat = allocate((size_t)(mine + 2) * columns, sizeof *heat);
  double *next = allocate((size_t)(mine + 2) * columns, sizeof *next);
  double *fuel = allocate((size_t)mine * columns, sizeof *fuel);
#pragma hpf processors P(ranks)
#pragma hpf distribute heat(gen_block(sizes), *) extent(rows, columns) onto P
#pragma hpf shadow heat(1 : 1, 0)
#pragma hpf distribute fuel(gen_block(sizes), *) extent(rows, columns) onto P
#pragma hpf dynamic heat, fuel
  ignite(heat + columns, fuel, first, mine, columns);

  double begin = MPI_Wtime(), moving = 0, computing = 0, most = 0, mean = 0;
  double *work = allocate(steps, sizeof *work), *largest = allocate(steps, sizeof *largest);
  for (int i = 0; i < steps; ++i) {
    double start = MPI_Wtime();
    if (every > 0 && i > 0 && i % every == 0) {
#pragma hpf redistribute(balance(measured, sizes), *)::heat, fuel
      first = first_of(sizes, rank);
      if (mine != sizes[rank]) {
        mine = sizes[rank];
        free(next);
        next = allocate((size_t)(mine + 2) * columns, sizeof *next);
      }
      moving += MPI_Wtime() - start;
    }
#pragma hpf reflect heat
    close_ends(heat, first, mine, rows, columns);
    start = MPI_Wtime();
    long cost = step(heat, fuel, next, mine, columns);
    charge(cost); /* but not the computation for the comparison */
    computing += MPI_Wtime() - start;
    work[i] = (double)cost;
    swap(&heat, &next);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - begin, bound = 0;
  MPI_Reduce(&computing, &bound, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(work, largest, steps, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  for (int i = 0; i < steps; ++i)
    most += largest[i];
  MPI_Reduce(work, largest, steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < steps; ++i)
    mean += largest[i] / ranks;

  int *counts = allocate(ranks, sizeof *counts), *places = allocate(ranks, sizeof *places);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = sizes[i] * columns;
    places[i] = first_of(sizes, i) * columns;
  }
  double *whole = rank == 0 ? allocate((size_t)rows * columns, sizeof *whole) : NULL;
  MPI_Gatherv(heat + columns, mine * columns, MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  int right = 1;
  if (rank == 0) {
    double *expected = serial(rows, columns, steps);
    right = memcmp(whole, expected + columns, sizeof(double) * rows * columns) == 0;
    printf("%d ranks, %d x %d cells, %d steps: %s\n", ranks, rows, columns, steps,
           right ? "equal to one rank's result, bit for bit" : "NOT what one rank computes");
    fprintf(stderr,
            "%.3f s, of which %.3f s to measure and redistribute; at least %.3f s, the work of all "
            "ranks divided by their number; the busiest rank works %.2f times the mean\n",
            seconds, moving, bound / ranks, mean > 0 ? most / mean : 1);
    free(expected);
  }
  free(whole);
  free(work);
  free(largest);
  free(counts);
  free(places);
  free(heat);
  free(next);
  free(fuel);
  free(sizes);
  MPI_Finalize();
  return !right;
}
