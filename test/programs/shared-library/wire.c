#include "wire.h"

int wire_post(const float *data, int length, int rank, MPI_Comm communicator,
              MPI_Request *request) {
  return MPI_Isend(data, length, MPI_FLOAT, rank, 2, communicator, request);
}

void wire_post_list(const struct wire_list *list, MPI_Comm communicator, MPI_Request *requests) {
  for (int i = 0; i < list->count; ++i) // -> reordered
    wire_post(list->data[i], list->length[i], list->rank[i], communicator, &requests[i]);
}

void wire_announce(const int *ranks, int count, const int *lengths, MPI_Comm communicator) {
  while (count-- > 0) { // -> reordered
    MPI_Send(lengths++, 1, MPI_INT, *ranks++, 1, communicator);
  }
}

int wire_announced(int rank, MPI_Comm communicator) {
  int length;
  MPI_Recv(&length, 1, MPI_INT, rank, 1, communicator, MPI_STATUS_IGNORE);
  return length;
}
