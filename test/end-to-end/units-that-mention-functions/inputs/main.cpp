#include "grid.h"
#include <cstdio>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Grid grid;
  double sum = 0, in;
  for (int step = 0; step < 20; ++step) {
    std::vector<double> out(size);
    for (int to = 0; to < size; ++to)
      if (to != rank) {
        out[to] = grid.value(to) * (step + rank);
        MPI_Send(&out[to], 1, MPI_DOUBLE, to, 7, MPI_COMM_WORLD);
      }
    for (int from = 0; from < size; ++from)
      if (from != rank) {
        MPI_Recv(&in, 1, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in / (from + 2);
      }
  }
  printf("rank %d: %.17g\n", rank, sum + average(grid));
  MPI_Finalize();
}
