#include "collectives.h"

enum { room = 64 };

void butterfly_sum(double *values, int count, MPI_Comm communicator) {
  int rank, ranks;
  double other[room];
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  for (int bit = 1; bit < ranks; bit <<= 1) { // -> left: waits between its sends (MPI_Waitall)
    MPI_Request requests[2];
    MPI_Irecv(other, count, MPI_DOUBLE, rank ^ bit, 0, communicator, &requests[0]);
    MPI_Isend(values, count, MPI_DOUBLE, rank ^ bit, 0, communicator, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; ++i)
      values[i] = rank & bit ? other[i] + values[i] : values[i] + other[i];
  }
}

void tree_sum(double *values, int count, MPI_Comm communicator) {
  int rank, ranks;
  double other[room];
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  for (int bit = 1; bit < ranks; bit <<= 1) { // -> left: one destination in each execution
    if (rank & bit) {
      MPI_Send(values, count, MPI_DOUBLE, rank ^ bit, 1, communicator);
      break;
    }
    MPI_Recv(other, count, MPI_DOUBLE, rank | bit, 1, communicator, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i)
      values[i] += other[i];
  }
}

void tree_broadcast(double *values, int count, MPI_Comm communicator) {
  int rank, ranks, bit = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  while (bit < ranks && !(rank & bit))
    bit <<= 1;
  if (rank != 0)
    MPI_Recv(values, count, MPI_DOUBLE, rank ^ bit, 2, communicator, MPI_STATUS_IGNORE);
  while (bit >>= 1) // -> reordered
    MPI_Send(values, count, MPI_DOUBLE, rank | bit, 2, communicator);
}
