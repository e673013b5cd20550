// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the sends of a site complete as written.

#ifndef SENDWRIGHT_ANALYSIS_COMPLETION_COMPLETIONREFUSAL_H
#define SENDWRIGHT_ANALYSIS_COMPLETION_COMPLETIONREFUSAL_H

#include <cstdint>
#include <string>

namespace sendwright {

/// The conditions that can fail, in the order in which they are checked. In backquotes: the facts
/// of CompletionRefusal that the sentence needs.
enum class CompletionObstacle : std::uint8_t {
  NoStandardSend, ///< it has no standard send to another rank
  LeavesAtOnce,   ///< its messages have at most `bytes` bytes, which MPI sends at once
  TooLarge,       ///< its messages have `bytes` bytes, more than `limit`
  HeldElsewhere,  ///< its sends leave with those of a loop around it
  ShortWaits      ///< its sends take `percent` of the run, below `limit` percent
};
inline constexpr CompletionObstacle lastCompletionObstacle = CompletionObstacle::ShortWaits;

struct CompletionRefusal {
  CompletionObstacle obstacle = CompletionObstacle::NoStandardSend;
  std::uint64_t bytes = 0;
  double percent = 0;
  double limit = 0; ///< bytes or percent
};

/// Part of a sentence: "its messages of 4 MB are larger than 1.05 MB".
std::string textOf(const CompletionRefusal &refusal);

} // namespace sendwright

#endif
