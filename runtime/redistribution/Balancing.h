// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of blocks that follow the load: `redistribute A(balance(costs))`. First the ranks agree
// that all of them ask for this, with sound costs. The first rank then collects the costs of all
// rows, finds the optimal sizes and whether the move pays
// (analysis/redistribution/BalancedBlocks.h), and tells all. The move itself is an ordinary
// redistribution to gen_block.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_BALANCING_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_BALANCING_H

#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sendwright::redistribution {

class Balancing {
public:
  Balancing(const PrivateGroup &group, const sendwright_site *site) : group(group), site(site) {}

  /// Finds sizes for `dimension` of `to` and writes them there; they live as long as this.
  /// Collective. Returns what is wrong, or "". Throws nothing.
  std::string run(unsigned schedule, std::span<sendwright_array *const> arrays,
                  const sendwright_processors *onto, unsigned dimension,
                  sendwright_distribution &to);
  /// Whether the arrays stay as they are, because a move would not pay.
  bool stays() const { return staying; }
  /// What the program says that this rank's rows cost.
  std::span<const double> costs() const { return own; }
  /// The first MPI error.
  int error() const { return mpiError; }
  /// Remembers when this was and what the move cost, and tells the program the sizes. Called at the
  /// end on all ranks.
  void finish(std::span<sendwright_array *const> arrays, const sendwright_dimension &said) const;

private:
  std::string propose(Proposal &proposal, std::span<sendwright_array *const> arrays,
                      const sendwright_processors *onto, unsigned dimension,
                      const sendwright_distribution &to) const;
  void prepare(const ArrayMove &first, unsigned dimension, const sendwright_dimension &costs);
  void collect(const ArrayMove &first, unsigned dimension);
  void decide(const Proposal &proposal, unsigned dimension);
  void announce();

  const PrivateGroup &group;
  const sendwright_site *site;
  std::vector<double> own; ///< costs of this rank's rows
  // On the rank that decides: rows of each rank and where they are in `arrived`, which has the
  // costs by rank; `all` has them by row.
  std::vector<int> counts, places;
  std::vector<double> arrived, all;
  double loadNow = 0;
  std::vector<long long> sizes; ///< until all ranks know it, the verdict comes last
  bool staying = false;
  double begin = 0, secondsPerByte = 0;
  std::int64_t bytes = 0; ///< that the busiest port moves
  int mpiError = MPI_SUCCESS;
};

} // namespace sendwright::redistribution

#endif
