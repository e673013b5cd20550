// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collective operations of MPI, and their names.

#ifndef SENDWRIGHT_ANALYSIS_MPI_COLLECTIVE_H
#define SENDWRIGHT_ANALYSIS_MPI_COLLECTIVE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

enum class Collective : std::uint8_t {
  Broadcast,
  Scatter,
  Gather,
  Allgather,
  AllToAll,
  Reduce,
  ReduceScatter,
  Allreduce,
  Scan,
  Barrier
};

/// "broadcast", "all-to-all", ...
std::string_view nameOf(Collective operation);
/// "a broadcast", "an all-to-all", "a reduction", ...
std::string withArticle(Collective operation);
/// All collective operations, in the order of the enumeration.
const std::vector<Collective> &allCollectives();

} // namespace sendwright

#endif
