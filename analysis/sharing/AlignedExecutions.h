// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which executions of a loop belong together if ranks execute it unequally often: on a coarse level
// of a multigrid method, ranks without work do not even call the function with the loop.
//
// There are two ways to tell. Two ranks that send to each other in equally many executions do so in
// the same instances: the n-th such execution of one belongs to the n-th of the other. And a rank
// that has a receive posted during one of its executions, and only one, is in the instance of the
// message that it takes: this holds for ranks that send to each other unequally often, too, as in
// the steps between levels. Executions that are joined in one of these ways, also through third
// ranks, are one instance. The way that joins more is used.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ALIGNEDEXECUTIONS_H
#define SENDWRIGHT_ANALYSIS_SHARING_ALIGNEDEXECUTIONS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// One rank's execution of a loop has a message for another rank.
struct ExecutionTarget {
  int source = 0, destination = 0; ///< world ranks
  std::uint64_t execution = 0;     ///< index at the source
  /// Index at the destination: the only execution that ends while the receive of the message is
  /// posted; `none` if there are several, or if it is not known.
  std::uint64_t met = none;
  static constexpr std::uint64_t none = UINT64_MAX;
};

struct AlignedExecutions {
  static constexpr std::uint64_t none = UINT64_MAX;   ///< an execution without messages
  std::vector<std::vector<std::uint64_t>> instanceOf; ///< by rank and execution; ascending
  std::uint64_t instances = 0;
};

/// Nothing if the executions cannot be joined in this way: a rank would have two executions of one
/// instance, or ranks would have instances in different orders. `executions`: by rank. `targets`:
/// by ascending execution for each source. `cut`: the run continues beyond these executions.
/// O(m log m) for m targets.
std::optional<AlignedExecutions> alignExecutions(const std::vector<std::uint64_t> &executions,
                                                 const std::vector<ExecutionTarget> &targets,
                                                 bool cut);

} // namespace sendwright

#endif
