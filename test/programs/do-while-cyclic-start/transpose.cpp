#include "sparse.hpp"

#include <algorithm>

std::vector<Entry> transpose(const std::vector<Entry> &matrix, MPI_Comm communicator) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  std::vector<std::vector<Entry>> out(ranks);
  for (const Entry &entry : matrix)
    out[entry.column % ranks].push_back({entry.column, entry.row, entry.value});
  std::vector<int> bytes(ranks), incoming(ranks);
  for (int p = 0; p < ranks; ++p)
    bytes[p] = static_cast<int>(out[p].size() * sizeof(Entry));
  MPI_Alltoall(bytes.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, communicator);
  std::vector<std::vector<Entry>> in(ranks);
  std::vector<MPI_Request> requests(ranks, MPI_REQUEST_NULL);
  for (int p = 0; p < ranks; ++p)
    if (p != rank) {
      in[p].resize(incoming[p] / sizeof(Entry));
      MPI_Irecv(in[p].data(), incoming[p], MPI_BYTE, p, 0, communicator, &requests[p]);
    }
  int p = rank;
  do { // -> reordered
    if (p == rank)
      in[p] = out[p];
    else
      MPI_Send(out[p].data(), bytes[p], MPI_BYTE, p, 0, communicator);
    if (++p == ranks)
      p = 0;
  } while (p != rank);
  MPI_Waitall(ranks, requests.data(), MPI_STATUSES_IGNORE);
  std::vector<Entry> result;
  for (const auto &part : in)
    result.insert(result.end(), part.begin(), part.end());
  std::sort(result.begin(), result.end());
  return result;
}
