#include "fields.hpp"

Field::Field(MPI_Comm parent, int seed) : values(30) {
  MPI_Comm_dup(parent, &communicator);
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  halo.resize(ranks);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (seed * 7 + rank * 13 + i * 5) % 31 / 4.0;
}

void Field::exchange() {
  std::vector<MPI_Request> requests(2 * ranks, MPI_REQUEST_NULL);
  for (int p = 0; p < ranks; ++p)
    if (p != rank)
      MPI_Irecv(&halo[p], 1, MPI_DOUBLE, p, 0, communicator, &requests[p]);
  for (int p = 0; p < ranks; ++p) // -> reordered
    if (p != rank)
      MPI_Isend(&values[p], 1, MPI_DOUBLE, p, 0, communicator, &requests[ranks + p]);
  MPI_Waitall(2 * ranks, requests.data(), MPI_STATUSES_IGNORE);
}

void Field::relax(int steps) {
  for (int step = 0; step < steps; ++step) {
    exchange();
    for (int p = 0; p < ranks; ++p)
      if (p != rank)
        values[values.size() - 1 - p] = 0.5 * (values[values.size() - 1 - p] + halo[p]);
    for (std::size_t i = 1; i < values.size(); ++i)
      values[i] = 0.25 * values[i - 1] + 0.75 * values[i];
  }
}
