#ifndef RENDEZVOUS_HPP
#define RENDEZVOUS_HPP
#include <mpi.h>

#include <vector>

/// The part of a field that each rank wants, which depends only on the rank's number.
std::vector<float> mapped(const std::vector<float> &field, int rank);

class Rendezvous {
public:
  explicit Rendezvous(MPI_Comm communicator);
  /// Parts of `field` for all others; returns what others have for this rank, by rank.
  std::vector<std::vector<float>> exchange(const std::vector<float> &field) const;
  /// The same, one after another in the order of ranks.
  std::vector<std::vector<float>> exchangeSingly(const std::vector<float> &field) const;
  const std::vector<int> &others() const { return ranks; }

private:
  std::vector<std::vector<float>> receive(const std::vector<int> &lengths) const;
  MPI_Comm communicator;
  std::vector<int> ranks;
};
#endif
