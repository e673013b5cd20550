// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all ranks agree on by messages: at the first collective call on a communicator MPI libraries
// prepare it for such calls, which can take as long as making it.

#ifndef SENDWRIGHT_RUNTIME_BASE_LEASTOFRANKS_H
#define SENDWRIGHT_RUNTIME_BASE_LEASTOFRANKS_H

#include "runtime/base/WorldRanks.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace sendwright {

/// Replaces each of the numbers `least` by the least that any rank of the communicator has, and
/// each of `sums` by the sum over all ranks, modulo 2^64. Collective: all ranks have equally many.
/// A message in each direction for each doubling of the number of ranks. In MPI_Init the
/// communicator may be MPI_COMM_WORLD: each message is received before the program of its receiver
/// goes on, and comes before any that the program of its sender sends.
///
/// To hear twice of the least does no harm, but a sum may count each rank only once. So a rank
/// keeps two sums that end at itself: of as many ranks before it as the distance, and of as many
/// as the lower bits of the number of ranks say.
inline void findLeastOfRanks(MPI_Comm communicator, int tag, std::vector<unsigned long long> &least,
                             std::span<unsigned long long> sums = {}) {
  const int rank = rankIn(communicator), ranks = ranksIn(communicator);
  const std::size_t ofLeast = least.size(), ofSums = sums.size();
  std::vector<unsigned long long> told(least);
  told.insert(told.end(), sums.begin(), sums.end());
  told.resize(told.size() + ofSums); // of the lower bits
  std::vector<unsigned long long> heard(told.size());
  const int size = static_cast<int>(told.size());
  int distance = 1;
  for (; distance < ranks; distance *= 2) {
    PMPI_Sendrecv(told.data(), size, MPI_UNSIGNED_LONG_LONG, (rank + distance) % ranks, tag,
                  heard.data(), size, MPI_UNSIGNED_LONG_LONG, (rank - distance + ranks) % ranks,
                  tag, communicator, MPI_STATUS_IGNORE);
    for (std::size_t index = 0; index < ofLeast; ++index)
      told[index] = std::min(told[index], heard[index]);
    for (std::size_t sum = ofLeast; sum < ofLeast + ofSums; ++sum) {
      if (ranks & distance)
        told[sum + ofSums] = told[sum] + heard[sum + ofSums];
      told[sum] += heard[sum];
    }
  }
  std::copy_n(told.begin(), ofLeast, least.begin());
  const std::size_t all = ranks == distance ? ofLeast : ofLeast + ofSums;
  std::copy_n(told.begin() + static_cast<std::ptrdiff_t>(all), ofSums, sums.begin());
}

} // namespace sendwright

#endif
