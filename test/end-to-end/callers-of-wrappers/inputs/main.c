#include "layer.h"

#include <stdio.h>

static double data[8 * 100];

static void multiply(void) {
  layer_request requests[8];
  begin_exchange(data, 100, requests);
  end_exchange(requests);
}

static void interpolate(void) {
  layer_request requests[8];
  begin_exchange(data, 10, requests);
  end_exchange(requests);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 800; i++)
    data[i] = rank * 0.5 + i;
  double norm = 0;
  for (int step = 0; step < 20; step++) {
    multiply();
    interpolate();
    norm += layer_sum(data[450 + step], MPI_COMM_WORLD);
  }
  double sum = layer_sum(norm, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.17g\n", sum);
  MPI_Finalize();
  return 0;
}
