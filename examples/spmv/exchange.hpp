// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's part of a symmetric matrix, and the exchange of values with the ranks that own
// neighbouring vertices.

#ifndef SPMV_EXCHANGE_HPP
#define SPMV_EXCHANGE_HPP

#include "matrix.hpp"

#include <mpi.h>

#include <cstddef>
#include <map>
#include <set>
#include <vector>

/// The rank's own vertices come first, then copies of others' vertices, grouped by owner.
struct Part {
  struct Neighbour {
    int rank;
    std::vector<int> own;  ///< own vertices of which the neighbour has copies, ascending
    int firstCopy, copies; ///< of the neighbour's vertices
  };
  struct Coupling {
    int vertex; ///< local number
    double value;
  };
  std::vector<int> vertices; ///< global numbers
  int owned = 0;
  std::vector<std::size_t> begin; ///< where each own vertex's couplings begin; and the end
  std::vector<Coupling> couplings;
  std::vector<Neighbour> neighbours; ///< in the order of ranks
};

/// The matrix alone determines what is exchanged: both sides list, in ascending order, what one
/// side owns and the other touches.
inline Part makePart(const Matrix &matrix, const std::vector<int> &owner, int me) {
  Part part;
  std::map<int, std::set<int>> own, copies; // for each neighbour
  std::map<int, int> local;
  for (int vertex = 0; vertex < matrix.rows; ++vertex)
    if (owner[static_cast<std::size_t>(vertex)] == me) {
      local[vertex] = part.owned++;
      part.vertices.push_back(vertex);
    }
  const auto ownerOf = [&](int vertex) { return owner[static_cast<std::size_t>(vertex)]; };
  for (const Entry &entry : matrix.entries)
    if (ownerOf(entry.row) == me && ownerOf(entry.column) != me) {
      own[ownerOf(entry.column)].insert(entry.row);
      copies[ownerOf(entry.column)].insert(entry.column);
    }
  for (const auto &[rank, theirs] : copies) {
    Part::Neighbour neighbour{
        rank, {}, static_cast<int>(part.vertices.size()), static_cast<int>(theirs.size())};
    for (const int vertex : own[rank])
      neighbour.own.push_back(local.at(vertex));
    for (const int vertex : theirs) {
      local[vertex] = static_cast<int>(part.vertices.size());
      part.vertices.push_back(vertex);
    }
    part.neighbours.push_back(std::move(neighbour));
  }
  for (const Entry &entry : matrix.entries) // sorted by row: own vertices in their order
    if (ownerOf(entry.row) == me) {
      while (static_cast<int>(part.begin.size()) <= local.at(entry.row))
        part.begin.push_back(part.couplings.size());
      part.couplings.push_back({local.at(entry.column), entry.value});
    }
  while (static_cast<int>(part.begin.size()) <= part.owned)
    part.begin.push_back(part.couplings.size());
  return part;
}

/// One message to each neighbour, and one from each.
class Exchange {
public:
  /// `outgoing` and `incoming`: values to and from each neighbour.
  Exchange(const Part &part, const std::vector<int> &outgoing, const std::vector<int> &incoming)
      : requests(2 * part.neighbours.size()) {
    for (std::size_t k = 0; k < part.neighbours.size(); ++k) {
      ranks.push_back(part.neighbours[k].rank);
      sends.emplace_back(outgoing[k]);
      receives.emplace_back(incoming[k]);
    }
  }

  /// Sends `sends` and fills `receives`.
  void run() {
    const int count = static_cast<int>(ranks.size());
    MPI_Request *request = requests.data();
    for (int k = 0; k < count; ++k)
      MPI_Irecv(receives[k].data(), static_cast<int>(receives[k].size()), MPI_DOUBLE, ranks[k], 0,
                MPI_COMM_WORLD, request++);
    for (int k = 0; k < count; ++k)
      MPI_Isend(sends[k].data(), static_cast<int>(sends[k].size()), MPI_DOUBLE, ranks[k], 0,
                MPI_COMM_WORLD, request++);
    MPI_Waitall(2 * count, requests.data(), MPI_STATUSES_IGNORE);
  }

  std::vector<std::vector<double>> sends, receives; ///< for each neighbour

private:
  std::vector<int> ranks;
  std::vector<MPI_Request> requests;
};

#endif
