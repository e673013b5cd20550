/* All calls of MPI, each in a function of its own. */
#include "layer.h"

void layer_receive(double *data, int count, int from, layer_communicator communicator, layer_request *request) {
  MPI_Irecv(data, count, MPI_DOUBLE, from, 0, communicator, request);
}

void layer_send(const double *data, int count, int to, layer_communicator communicator, layer_request *request) {
  MPI_Isend(data, count, MPI_DOUBLE, to, 0, communicator, request);
}

void layer_wait(int count, layer_request *requests) {
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

double layer_sum(double value, layer_communicator communicator) {
  double sum;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
  return sum;
}
