/* Rank 0 sends one number to rank 1. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, value = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int other = 1; rank == 0 && other < size; ++other)
    MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  if (rank > 0) {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received %d\n", value);
  }
  MPI_Finalize();
  return 0;
}
