#include <mpi.h>
#include <stdio.h>

int exchange(int rank, int size);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int peer = 0; peer < size; ++peer)
    MPI_Send(&rank, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
  for (int peer = 0; peer < size; ++peer) {
    int got;
    MPI_Recv(&got, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += got;
  }
  int other = exchange(rank, size);
  if (rank == 0)
    printf("received %d in C and %d in C++\n", sum, other);
  MPI_Finalize();
  return 0;
}
