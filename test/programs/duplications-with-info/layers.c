#include "result.h"

int main(int argc, char **argv) {
  int rank, ranks;
  double sum = 0;
  MPI_Comm layer;
  MPI_Request copied;
  MPI_Info hints;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Info_create(&hints);
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, hints, &layer, &copied);
  MPI_Info_free(&hints);
  MPI_Wait(&copied, MPI_STATUS_IGNORE);
  for (int step = 0; step < 5; ++step) {
    double got[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i)
      MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 8, layer, &requests[i]);
    for (int i = 0; i < 3; ++i) { // -> reordered
      const double value = 10 * rank + i + sum / 8;
      MPI_Send(&value, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 8, layer);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i)
      sum += got[i] / (i + 1);
  }
  MPI_Comm_free(&layer);
  print_result(MPI_COMM_WORLD, "sum", &sum, sizeof sum);
  return MPI_Finalize();
}
