#include "collectives.h"
#include "result.h"

int main(int argc, char **argv) {
  double values[40], sums[40];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 40; ++i)
    values[i] = 1.0 / (1 + rank + i);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 40; ++i)
      sums[i] = values[i];
    butterfly_sum(sums, 40, MPI_COMM_WORLD);
    tree_sum(values, 40, MPI_COMM_WORLD);
    tree_broadcast(values, 40, MPI_COMM_WORLD);
    for (int i = 0; i < 40; ++i)
      values[i] = (values[i] + sums[i]) / (16 + rank);
  }
  print_result(MPI_COMM_WORLD, "values", values, sizeof values);
  print_result(MPI_COMM_WORLD, "sums", sums, sizeof sums);
  return MPI_Finalize();
}
