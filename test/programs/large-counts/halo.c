#include "result.h"

enum { values = 5, neighbours = 3 };

/* Messages to the next ranks, some sent with large counts and received with small ones. */
static void exchange(double *mine, double *theirs, int rank, int ranks) {
  MPI_Request requests[2 * neighbours];
  for (int i = 0; i < neighbours; ++i)
    MPI_Irecv_c(&theirs[i * values], values, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 1,
                MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < neighbours; ++i) // -> reordered
    MPI_Isend_c(mine, (MPI_Count)values, MPI_DOUBLE, (rank + i + 1) % ranks, 1, MPI_COMM_WORLD,
                &requests[neighbours + i]);
  MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
}

static double blocking(double largest, int rank, int ranks) {
  MPI_Request requests[neighbours];
  double got[neighbours];
  for (int i = 0; i < neighbours; ++i)
    MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 2, MPI_COMM_WORLD,
              &requests[i]);
  for (int i = 0; i < neighbours; ++i) { // -> reordered
    const double value = largest + i;
    MPI_Send_c(&value, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 2, MPI_COMM_WORLD);
  }
  MPI_Waitall(neighbours, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < neighbours; ++i)
    largest = got[i] > largest ? got[i] : largest;
  return largest;
}

int main(int argc, char **argv) {
  double mine[values], theirs[neighbours * values], largest = 0, all = 0, swapped[values];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < values; ++i)
    mine[i] = 10 * rank + i;
  for (int step = 0; step < 4; ++step) { // -> left: it receives or waits between its sends
    exchange(mine, theirs, rank, ranks);
    for (int i = 0; i < values; ++i)
      mine[i] += theirs[i] / 2 - theirs[2 * values + i] / 8;
    largest = blocking(mine[step] > largest ? mine[step] : largest, rank, ranks);
    MPI_Allreduce_c(&largest, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    largest += all / 64;
    MPI_Sendrecv_c(mine, values, MPI_DOUBLE, (rank + 1) % ranks, 3, swapped, values, MPI_DOUBLE,
                   (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast_c(&all, 1, MPI_DOUBLE, step % ranks, MPI_COMM_WORLD);
    for (int i = 0; i < values; ++i)
      mine[i] += swapped[i] / 4 + all / 128;
  }
  print_result(MPI_COMM_WORLD, "values", mine, sizeof mine);
  print_result(MPI_COMM_WORLD, "largest", &largest, sizeof largest);
  return MPI_Finalize();
}
