// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/completion/CompletionRefusal.h"

#include "analysis/file/FigureText.h"

namespace sendwright {

std::string textOf(const CompletionRefusal &refusal) {
  switch (refusal.obstacle) {
  case CompletionObstacle::NoStandardSend:
    return "it has no send in standard mode";
  case CompletionObstacle::LeavesAtOnce:
    return "MPI sends messages of up to " + bytesText(refusal.bytes) + " at once";
  case CompletionObstacle::TooLarge:
    return "its messages of " + bytesText(refusal.bytes) + " are larger than " +
           bytesText(static_cast<std::uint64_t>(refusal.limit));
  case CompletionObstacle::HeldElsewhere:
    return "its sends leave with those of the loop around it";
  case CompletionObstacle::ShortWaits:
    return "its sends take " + percentText(refusal.percent) +
           " of the run, below the threshold of " + percentText(refusal.limit, 3);
  }
  return "";
}

} // namespace sendwright
