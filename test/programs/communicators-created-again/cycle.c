#include "level.h"
#include "result.h"

static void cycle(MPI_Comm all, double *values, int count, int depth) {
  struct level level = level_enter(all, depth);
  if (level.active != MPI_COMM_NULL)
    level_smooth(&level, values, count);
  if (depth < 2)
    cycle(all, values, count, depth + 1);
  if (level.active != MPI_COMM_NULL)
    level_smooth(&level, values, count);
  level_leave(&level);
}

int main(int argc, char **argv) {
  double values[10];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; ++i)
    values[i] = rank * 10 + i;
  for (int round = 0; round < 6; ++round) {
    MPI_Comm all;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    cycle(all, values, 10, 0);
    MPI_Comm_free(&all);
  }
  print_result(MPI_COMM_WORLD, "values", values, sizeof values);
  return MPI_Finalize();
}
