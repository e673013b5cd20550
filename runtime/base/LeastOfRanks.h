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
#include <vector>

namespace sendwright {

/// Replaces each number by the least that any rank of the communicator has. Collective: all ranks
/// have equally many numbers. A message in each direction for each doubling of the number of ranks.
/// In MPI_Init the communicator may be MPI_COMM_WORLD: each message is received before the program
/// of its receiver goes on, and comes before any that the program of its sender sends.
inline void findLeastOfRanks(MPI_Comm communicator, int tag,
                             std::vector<unsigned long long> &numbers) {
  const int rank = rankIn(communicator), ranks = ranksIn(communicator);
  const int size = static_cast<int>(numbers.size());
  std::vector<unsigned long long> heard(numbers.size());
  for (int distance = 1; distance < ranks; distance *= 2) {
    PMPI_Sendrecv(numbers.data(), size, MPI_UNSIGNED_LONG_LONG, (rank + distance) % ranks, tag,
                  heard.data(), size, MPI_UNSIGNED_LONG_LONG, (rank - distance + ranks) % ranks,
                  tag, communicator, MPI_STATUS_IGNORE);
    for (std::size_t index = 0; index < numbers.size(); ++index)
      numbers[index] = std::min(numbers[index], heard[index]);
  }
}

} // namespace sendwright

#endif
