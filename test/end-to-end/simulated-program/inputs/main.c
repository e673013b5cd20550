#include "exchange.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int steps = argc > 1 ? atoi(argv[1]) : 50;
  if (steps == 0 && rank == 0) { /* waits for a message that nobody sends */
    MPI_Recv(&steps, 1, MPI_INT, size - 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  double sum = rank, start = MPI_Wtime();
  for (int step = 0; step < steps; ++step)
    sum = exchange(sum, rank, size);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    FILE *file = fopen("result.txt", "w");
    fprintf(file, "%.17g\n", sum);
    fclose(file);
    printf("result %.17g\ntime %.9f\n", sum, MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
