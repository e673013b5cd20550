#include "transport.hpp"

#include <cstring>

static int sendNow(const double *data, int count, int to, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  return MPI_Send(data, count, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
}

static int sendLater(const double *data, int count, int to, MPI_Request *request) {
  return MPI_Isend(data, count, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, request);
}

static void finishAll(int count, MPI_Request *requests) {
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

const Operations *operationsNamed(const char *name) {
  static const Operations now = {sendNow, finishAll}, later = {sendLater, finishAll};
  return std::strcmp(name, "now") == 0 ? &now : &later;
}

void Direct::send(const double *data, int count, int to) const {
  MPI_Send(data, count, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}
