/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A flame eats its way through a plate of fuel: the heat equation with a source that needs an
 * iteration where it burns, and costs nothing elsewhere. So the cost of a row depends on how
 * much flame is in it, and each rank's work changes all the time. Every so many steps the
 * ranks measure what their rows cost, agree on new blocks of rows, and redistribute the two
 * arrays. All by hand but the last, unlike examples/redistribution/flame.c: runs are alike.
 *
 *   flame [ROWS [COLUMNS [STEPS [EVERY]]]]     by default 192 128 400 20; EVERY 0: never
 *
 * The result is compared with that of one rank, bit for bit. */

#include <sendwright/required.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { up_tag = 1, down_tag };

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

struct plate {
  double *heat, *fuel, *next, *above, *below;
  double *cost; /* of each row since the last measurement */
  int rows, columns, first;
};

/* Fetches the rows next to this rank's: its neighbours', or its own at the ends of the plate. */
static void exchange(struct plate *plate, int rank, int ranks) {
  int columns = plate->columns;
  double *top = plate->heat, *bottom = plate->heat + (size_t)(plate->rows - 1) * columns;
  int previous = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int next = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  memcpy(plate->above, top, columns * sizeof *top);
  memcpy(plate->below, bottom, columns * sizeof *bottom);
  MPI_Sendrecv(top, columns, MPI_DOUBLE, previous, up_tag, plate->below, columns, MPI_DOUBLE, next,
               up_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(bottom, columns, MPI_DOUBLE, next, down_tag, plate->above, columns, MPI_DOUBLE,
               previous, down_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Returns what it cost. */
static long step(struct plate *plate) {
  size_t columns = plate->columns;
  long sum = 0;
  for (int row = 0; row < plate->rows; ++row) {
    const double *here = plate->heat + row * columns;
    const double *above = row > 0 ? here - columns : plate->above;
    const double *below = row + 1 < plate->rows ? here + columns : plate->below;
    long operations = step_row(above, here, below, plate->fuel + row * columns,
                               plate->next + row * columns, plate->columns);
    plate->cost[row] += operations;
    sum += operations;
  }
  double *old = plate->heat;
  plate->heat = plate->next;
  plate->next = old;
  return sum;
}

/* Contiguous blocks of rows of about equal cost, at least one row each. */
static void balance(const double *cost, int rows, int ranks, int *sizes) {
  double left = 0;
  int row = 0;
  for (int i = 0; i < rows; ++i)
    left += cost[i];
  for (int rank = 0; rank < ranks; ++rank) {
    double share = left / (ranks - rank), mine = 0;
    int first = row;
    while (row < rows - (ranks - 1 - rank) &&
           (row == first || rank == ranks - 1 || mine + cost[row] / 2 < share))
      mine += cost[row++];
    sizes[rank] = row - first;
    left -= mine;
  }
}

/* Tells every rank what all rows cost; all ranks compute the same blocks from that. */
static void measure(struct plate *plate, const int *sizes, int ranks, int rows, int *new_sizes) {
  double *cost = allocate(rows, sizeof *cost);
  int *places = allocate(ranks, sizeof *places);
  for (int rank = 1; rank < ranks; ++rank)
    places[rank] = places[rank - 1] + sizes[rank - 1];
  MPI_Allgatherv(plate->cost, plate->rows, MPI_DOUBLE, cost, sizes, places, MPI_DOUBLE,
                 MPI_COMM_WORLD);
  balance(cost, rows, ranks, new_sizes);
  free(places);
  free(cost);
}

/* Gives this rank the rows from `first` on; makes room for what is not redistributed. */
static void settle(struct plate *plate, const int *sizes, int rank) {
  plate->rows = sizes[rank];
  plate->first = 0;
  for (int i = 0; i < rank; ++i)
    plate->first += sizes[i];
  free(plate->next);
  free(plate->cost);
  plate->next = allocate((size_t)plate->rows * plate->columns, sizeof(double));
  plate->cost = allocate(plate->rows, sizeof(double));
}

/* The result computed by one rank alone. The caller frees it. */
static double *serial(int rows, int columns, int steps) {
  struct plate plate = {NULL, NULL, NULL, NULL, NULL, NULL, rows, columns, 0};
  plate.heat = allocate((size_t)rows * columns, sizeof(double));
  plate.fuel = allocate((size_t)rows * columns, sizeof(double));
  plate.above = allocate(columns, sizeof(double));
  plate.below = allocate(columns, sizeof(double));
  settle(&plate, &rows, 0);
  ignite(plate.heat, plate.fuel, 0, rows, columns);
  for (int i = 0; i < steps; ++i) {
    memcpy(plate.above, plate.heat, columns * sizeof(double));
    memcpy(plate.below, plate.heat + (size_t)(rows - 1) * columns, columns * sizeof(double));
    step(&plate);
  }
  free(plate.fuel);
  free(plate.next);
  free(plate.above);
  free(plate.below);
  free(plate.cost);
  return plate.heat;
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
  int steps = argument(argc, argv, 3, 400, 0), every = argument(argc, argv, 4, 20, 0);

  int *sizes = allocate(ranks, sizeof *sizes), *new_sizes = allocate(ranks, sizeof *sizes);
  for (int i = 0; i < ranks; ++i)
    sizes[i] = rows / ranks + (i < rows % ranks);
  struct plate plate = {NULL, NULL, NULL, NULL, NULL, NULL, 0, columns, 0};
  settle(&plate, sizes, rank);
  plate.above = allocate(columns, sizeof(double));
  plate.below = allocate(columns, sizeof(double));
  double *heat = allocate((size_t)plate.rows * columns, sizeof *heat);
  double *fuel = allocate((size_t)plate.rows * columns, sizeof *fuel);
#pragma hpf processors P(ranks)
#pragma hpf distribute heat(gen_block(sizes), *) extent(rows, columns) onto P
#pragma hpf distribute fuel(gen_block(sizes), *) extent(rows, columns) onto P
#pragma hpf dynamic heat, fuel
  ignite(heat, fuel, plate.first, plate.rows, columns);

  double begin = MPI_Wtime(), moving = 0, most = 0, mean = 0;
  double *work = allocate(steps, sizeof *work), *largest = allocate(steps, sizeof *largest);
  for (int i = 0; i < steps; ++i) {
    if (every > 0 && i > 0 && i % every == 0) {
      double start = MPI_Wtime();
      measure(&plate, sizes, ranks, rows, new_sizes);
#pragma hpf redistribute(gen_block(new_sizes), *)::heat, fuel
      memcpy(sizes, new_sizes, ranks * sizeof *sizes);
      settle(&plate, sizes, rank);
      moving += MPI_Wtime() - start;
    }
    plate.heat = heat;
    plate.fuel = fuel;
    exchange(&plate, rank, ranks);
    long cost = step(&plate);
    charge(cost); /* but not the computation for the comparison */
    work[i] = (double)cost;
    heat = plate.heat; /* the step has swapped it with the other block */
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - begin;
  MPI_Reduce(work, largest, steps, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  for (int i = 0; i < steps; ++i)
    most += largest[i];
  MPI_Reduce(work, largest, steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < steps; ++i)
    mean += largest[i] / ranks;

  int *counts = allocate(ranks, sizeof *counts), *places = allocate(ranks, sizeof *places);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = sizes[i] * columns;
    places[i] = i > 0 ? places[i - 1] + counts[i - 1] : 0;
  }
  double *whole = rank == 0 ? allocate((size_t)rows * columns, sizeof *whole) : NULL;
  MPI_Gatherv(heat, plate.rows * columns, MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  int right = 1;
  if (rank == 0) {
    double *expected = serial(rows, columns, steps);
    right = memcmp(whole, expected, sizeof(double) * rows * columns) == 0;
    printf("%d ranks, %d x %d cells, %d steps: %s\n", ranks, rows, columns, steps,
           right ? "equal to one rank's result, bit for bit" : "NOT what one rank computes");
    fprintf(stderr,
            "%.3f s, of which %.3f s to measure and redistribute; the busiest rank works "
            "%.2f times the mean\n",
            seconds, moving, mean > 0 ? most / mean : 1);
    free(expected);
  }
  free(whole);
  free(work);
  free(largest);
  free(counts);
  free(places);
  free(heat);
  free(fuel);
  free(plate.next);
  free(plate.cost);
  free(plate.above);
  free(plate.below);
  free(sizes);
  free(new_sizes);
  MPI_Finalize();
  return !right;
}
