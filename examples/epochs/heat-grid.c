/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The stationary temperature of a plate whose edges are kept warm, by red-black relaxation. Rank
 * 0 deals strips of rows to the others, which form a line and exchange their outer rows before
 * every half sweep: each sends to both neighbours before it receives from them. This works only
 * as long as MPI buffers the rows.
 *
 *   heat-grid [ROWS [COLUMNS [SWEEPS]]]     by default 64 64 1000 */

#include "example.h"

#include <string.h>

enum { sizes_tag = 1, rows_tag, above_tag, below_tag, weight_tag, result_tag, up_tag, down_tag };

/* One half sweep: the cells of one colour in `rows` rows, which lie between two more rows. */
static double relax(double *grid, int rows, int columns, int first, int colour, double weight) {
  double largest = 0;
  for (int row = 1; row <= rows; ++row)
    for (int column = 1 + (first + row + colour) % 2; column < columns - 1; column += 2) {
      double *cell = grid + (size_t)row * columns + column;
      double change =
          weight * ((cell[-columns] + cell[columns] + cell[-1] + cell[1]) / 4 - cell[0]);
      cell[0] += change;
      if (change < 0)
        change = -change;
      if (change > largest)
        largest = change;
    }
  return largest;
}

static void work(int rank, int ranks) {
  int sizes[4]; /* rows, columns, number of the first row, sweeps */
  double weight, change = 0;
  MPI_Recv(sizes, 4, MPI_INT, 0, sizes_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int rows = sizes[0], columns = sizes[1];
  double *grid = allocate((size_t)(rows + 2) * columns, sizeof(double));
  double *above = grid, *below = grid + (size_t)(rows + 1) * columns;
  double *top = grid + columns, *bottom = grid + (size_t)rows * columns;
  MPI_Recv(top, rows * columns, MPI_DOUBLE, 0, rows_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(above, columns, MPI_DOUBLE, 0, above_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(below, columns, MPI_DOUBLE, 0, below_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&weight, 1, MPI_DOUBLE, 0, weight_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  for (int half = 0; half < 2 * sizes[3]; ++half) {
    if (rank > 1)
      MPI_Send(top, columns, MPI_DOUBLE, rank - 1, up_tag, MPI_COMM_WORLD);
    if (rank + 1 < ranks)
      MPI_Send(bottom, columns, MPI_DOUBLE, rank + 1, down_tag, MPI_COMM_WORLD);
    if (rank > 1)
      MPI_Recv(above, columns, MPI_DOUBLE, rank - 1, down_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < ranks)
      MPI_Recv(below, columns, MPI_DOUBLE, rank + 1, up_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    change = relax(grid, rows, columns, sizes[2], half % 2, weight);
  }

  MPI_Send(&sizes[2], 1, MPI_INT, 0, sizes_tag, MPI_COMM_WORLD);
  MPI_Send(top, rows * columns, MPI_DOUBLE, 0, rows_tag, MPI_COMM_WORLD);
  MPI_Send(&change, 1, MPI_DOUBLE, 0, result_tag, MPI_COMM_WORLD);
  free(grid);
}

/* Rank 0's grid has a warm row before and after the rows of the others. */
static void deal(const double *grid, int workers, int rows, int columns, int sweeps,
                 double weight) {
  for (int worker = 0; worker < workers; ++worker) {
    int first = first_of(worker, workers, rows), count = count_of(worker, workers, rows);
    int sizes[4] = {count, columns, first, sweeps};
    const double *start = grid + (size_t)(first + 1) * columns;
    MPI_Send(sizes, 4, MPI_INT, worker + 1, sizes_tag, MPI_COMM_WORLD);
    MPI_Send(start, count * columns, MPI_DOUBLE, worker + 1, rows_tag, MPI_COMM_WORLD);
    MPI_Send(start - columns, columns, MPI_DOUBLE, worker + 1, above_tag, MPI_COMM_WORLD);
    MPI_Send(start + (size_t)count * columns, columns, MPI_DOUBLE, worker + 1, below_tag,
             MPI_COMM_WORLD);
    MPI_Send(&weight, 1, MPI_DOUBLE, worker + 1, weight_tag, MPI_COMM_WORLD);
  }
}

static double collect(double *grid, int workers, int rows, int columns) {
  double largest = 0, change;
  for (int worker = 0; worker < workers; ++worker) {
    int first;
    MPI_Recv(&first, 1, MPI_INT, worker + 1, sizes_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(grid + (size_t)(first + 1) * columns, count_of(worker, workers, rows) * columns,
             MPI_DOUBLE, worker + 1, rows_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&change, 1, MPI_DOUBLE, worker + 1, result_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (change > largest)
      largest = change;
  }
  return largest;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int rows = size_argument(argc, argv, 1, 64), columns = size_argument(argc, argv, 2, 64);
  int sweeps = size_argument(argc, argv, 3, 1000);
  require(ranks >= 2 && rows >= ranks - 1, "expected two ranks or more, and a row for each worker");
  if (rank > 0) {
    work(rank, ranks);
  } else {
    const double weight = 1.5;
    size_t cells = (size_t)(rows + 2) * columns;
    double *grid = allocate(cells, sizeof(double)), *expected = allocate(cells, sizeof(double));
    double expected_change = 0;
    for (int column = 0; column < columns; ++column)
      grid[column] = 100;
    memcpy(expected, grid, cells * sizeof(double));
    deal(grid, ranks - 1, rows, columns, sweeps, weight);
    double change = collect(grid, ranks - 1, rows, columns);
    for (int half = 0; half < 2 * sweeps; ++half)
      expected_change = relax(expected, rows, columns, 0, half % 2, weight);
    require(!memcmp(grid, expected, cells * sizeof(double)) && change == expected_change,
            "the strips together differ from the whole plate");
    printf("heat-grid: %d x %d cells, %d sweeps, last change %.17g, checked\n", rows, columns,
           sweeps, change);
    free(grid);
    free(expected);
  }
  MPI_Finalize();
  return 0;
}
