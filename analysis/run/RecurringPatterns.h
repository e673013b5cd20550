// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which executions of a loop send alike, if the loop alternates between several patterns. Example:
// a multigrid method calls one exchange function on every level.

#ifndef SENDWRIGHT_ANALYSIS_RUN_RECURRINGPATTERNS_H
#define SENDWRIGHT_ANALYSIS_RUN_RECURRINGPATTERNS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// A message of one execution; `kind` stands for everything but its size.
struct ExecutionMessage {
  std::uint64_t execution = 0;
  std::uint32_t kind = 0;
  std::uint64_t bytes = 0;
};

struct RecurringPattern {
  struct Kind {
    std::uint32_t kind = 0;
    std::uint64_t executions = 0, bytes = 0; ///< in which it was sent, and their bytes together
  };
  std::uint64_t executions = 0;
  std::vector<Kind> kinds;            ///< ascending, all that occur in any of its executions
  std::vector<std::uint64_t> members; ///< its executions, ascending
};

/// Two executions have the same pattern if this fraction of each one's messages is also in the
/// other.
inline constexpr double alikeEnough = 0.9;
inline constexpr std::size_t mostPatternsByTurns = 16;

/// The patterns of more than one execution, at most `mostPatternsByTurns`, most frequent first. An
/// execution has at most one message of a kind; `kinds` are numbered from 0. Executions that
/// resemble no pattern are left out. O(m log m) for m messages.
std::vector<RecurringPattern> findRecurringPatterns(std::vector<ExecutionMessage> messages,
                                                    std::size_t kinds);

} // namespace sendwright

#endif
