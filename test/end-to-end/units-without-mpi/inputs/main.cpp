#include "transport.h"
#include <cstdio>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double value = rank + 1;
  for (int step = 0; step < 20; ++step) {
    std::vector<double> out(size);
    for (int to = 0; to < size; ++to)
      if (to != rank) {
        out[to] = packed(value, to);
        MPI_Send(&out[to], 1, MPI_DOUBLE, to, 7, MPI_COMM_WORLD);
      }
    double sum = 0, in;
    for (int from = 0; from < size; ++from)
      if (from != rank) {
        MPI_Recv(&in, 1, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in / (from + 2);
      }
    value = relax(rank, size, sum / (20.0 * size));
  }
  printf("rank %d: %.17g\n", rank, value);
  MPI_Finalize();
}
