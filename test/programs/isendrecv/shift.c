#include "result.h"

int main(int argc, char **argv) {
  int rank, ranks;
  double value, from_left = 0, got[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  value = rank + 1;
  for (int step = 0; step < 5; ++step) { // -> left: it receives or waits between its sends
    MPI_Request shift, replaced, requests[2];
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Isendrecv(&value, 1, MPI_DOUBLE, right, 4, &from_left, 1, MPI_DOUBLE, left, 4,
                  MPI_COMM_WORLD, &shift);
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 8, MPI_COMM_WORLD,
                &requests[i]);
    for (int i = 0; i < 2; ++i) { // -> reordered
      const double sent = value + i;
      MPI_Send(&sent, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 8, MPI_COMM_WORLD);
    }
    MPI_Wait(&shift, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(&from_left, 1, MPI_DOUBLE, right, 5, left, 5, MPI_COMM_WORLD, &replaced);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&replaced, MPI_STATUS_IGNORE);
    value += from_left / 2 + got[0] / 4 - got[1] / 8;
  }
  print_result(MPI_COMM_WORLD, "value", &value, sizeof value);
  return MPI_Finalize();
}
