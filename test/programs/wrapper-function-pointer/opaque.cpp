#include "transport.hpp"

int sendOpaquely(const double *data, int count, int to, MPI_Request *request) {
  return MPI_Isend(data, count, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, request);
}

int send_row_opaquely(const double *row, int to) {
  return MPI_Send(row, 3, MPI_DOUBLE, to, 5, MPI_COMM_WORLD);
}

namespace {
struct Opaque : Transport {
  void send(const double *data, int count, int to) const override {
    MPI_Send(data, count, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
  }
};
} // namespace

const Transport *opaqueTransport() {
  static const Opaque opaque;
  return &opaque;
}
