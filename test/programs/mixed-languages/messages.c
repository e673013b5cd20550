#include "messages.h"

void message_post(const double *values, int count, int rank, MPI_Request *request) {
  MPI_Isend(values, count, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, request);
}

void messages_post_all(const int *ranks, int count, const double *values, MPI_Request *requests) {
  for (int i = 0; i < count; ++i) // -> reordered
    message_post(values, 1 + i, ranks[i], &requests[i]);
}

void messages_post_packed(const int *ranks, int count, pack_function pack, void *object) {
  for (int i = 0; i < count; ++i) { // -> reordered
    double packed[8];
    MPI_Send(packed, pack(object, ranks[i], packed), MPI_DOUBLE, ranks[i], 1, MPI_COMM_WORLD);
  }
}

double message_take(int rank) {
  double in[16], sum = 0;
  int length;
  MPI_Status status;
  MPI_Recv(in, 16, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &length);
  for (int i = 0; i < length; ++i)
    sum += in[i];
  return sum;
}
