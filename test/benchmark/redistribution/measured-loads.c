/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Rows with a load that is made up: what each costs in a step is charged to the simulated
 * processor, and all ranks wait for one another at the end of a step. Every so many steps the
 * blocks may follow the load, as it is measured.
 *
 *   measured-loads KIND STEPS EVERY     EVERY 0: equal blocks
 *
 * KIND: flat (all rows cost the same), noisy (each rank's speed varies by a hundredth), still (20
 * dear rows), drifting (which wander from the first row to the last), or jumping-N (which are
 * elsewhere after N times EVERY steps, or 4 where EVERY is 0). Prints the simulated seconds, how
 * many rows moved, and how many elements are wrong. */

#include <sendwright/required.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 768, columns = 512, dear = 20 };

static const double cheap_cost = 5200, dear_cost = 800000, even_cost = 40000; /* operations */

static unsigned long long random_state = 1;

static unsigned random_below(unsigned limit) {
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(random_state >> 33) % limit;
}

/* The first dear row in a step. The same on all ranks. */
static int dear_from(const char *kind, int step, int steps, int period) {
  static int at = 300;
  if (strcmp(kind, "drifting") == 0)
    return (int)((long)step * (rows - dear) / steps);
  if (strncmp(kind, "jumping-", 8) == 0 && step % (atoi(kind + 8) * period) == 0)
    at = (int)random_below(rows - dear);
  return at;
}

static double cost_of(const char *kind, int first, int count, int from) {
  int even = strcmp(kind, "flat") == 0 || strcmp(kind, "noisy") == 0;
  double sum = 0;
  for (int row = first; row < first + count; row++)
    sum += even ? even_cost : row >= from && row < from + dear ? dear_cost : cheap_cost;
  return sum;
}

static int first_of(const int *sizes, int rank) {
  int first = 0;
  for (int i = 0; i < rank; i++)
    first += sizes[i];
  return first;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) {
    fprintf(stderr, "usage: measured-loads KIND STEPS EVERY\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const char *kind = argv[1];
  int steps = atoi(argv[2]), every = atoi(argv[3]), period = every > 0 ? every : 4;
  int *sizes = malloc(ranks * sizeof *sizes);
  for (int i = 0; i < ranks; i++)
    sizes[i] = rows / ranks + (i < rows % ranks);
  int first = first_of(sizes, rank), count = sizes[rank];
  double(*plate)[columns] = calloc((size_t)count + 1, sizeof *plate);
#pragma hpf processors P(ranks)
#pragma hpf distribute plate(gen_block(sizes), *) onto P
#pragma hpf dynamic
  for (int row = 0; row < count; row++)
    plate[row][columns - 1] = first + row;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  long moved = 0, wrong = 0;
  for (int step = 0; step < steps; step++) {
    if (every > 0 && step > 0 && step % every == 0) {
      const int before = first, number = count;
#pragma hpf redistribute plate(balance(measured, sizes), *)
      first = first_of(sizes, rank);
      count = sizes[rank];
      for (int row = first; row < first + count; row++)
        moved += row < before || row >= before + number;
    }
    double cost = cost_of(kind, first, count, dear_from(kind, step, steps, period));
    for (int i = 0; i < ranks; i++) { /* all ranks draw all numbers */
      double speed = 1 + 0.01 * (random_below(1000) / 1000.0 - 0.5);
      if (i == rank && strcmp(kind, "noisy") == 0)
        cost *= speed;
    }
    smpi_execute_flops(cost);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  double seconds = MPI_Wtime() - begin;
  for (int row = 0; row < count; row++)
    wrong += plate[row][columns - 1] != first + row;
  long own[2] = {moved, wrong}, all[2];
  MPI_Reduce(own, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.6f s, %ld rows moved, %ld wrong\n", seconds, all[0], all[1]);
  free(plate);
  free(sizes);
  MPI_Finalize();
  return 0;
}
