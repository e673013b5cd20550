#include "result.h"

enum { neighbours = 3 };

int main(int argc, char **argv) {
  int rank, ranks;
  double local = 0, total = 0, shared = 0;
  MPI_Request reduction, broadcast, requests[neighbours];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allreduce_init(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &reduction);
  MPI_Bcast_init(&shared, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &broadcast);
  for (int step = 0; step < 5; ++step) {
    double got[neighbours];
    local = rank + step + total / 32;
    MPI_Start(&reduction);
    for (int i = 0; i < neighbours; ++i)
      MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 8, MPI_COMM_WORLD,
                &requests[i]);
    for (int i = 0; i < neighbours; ++i) { // -> reordered
      const double value = 10 * rank + i + shared / 8;
      MPI_Send(&value, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 8, MPI_COMM_WORLD);
    }
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    MPI_Waitall(neighbours, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < neighbours; ++i)
      total += got[i] / (i + 2);
    if (rank == 1)
      shared = total;
    MPI_Startall(1, &broadcast);
    MPI_Wait(&broadcast, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&reduction);
  MPI_Request_free(&broadcast);
  print_result(MPI_COMM_WORLD, "total", &total, sizeof total);
  print_result(MPI_COMM_WORLD, "shared", &shared, sizeof shared);
  return MPI_Finalize();
}
