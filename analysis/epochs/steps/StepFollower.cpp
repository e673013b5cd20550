// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/StepFollower.h"

#include <algorithm>

namespace sendwright {

const Step *StepFollower::due() const {
  const bool synchronizes = !atEnd() && expected().kind >= StepKind::Synchronize;
  return synchronizes ? &expected() : nullptr;
}

bool StepFollower::follow(const Step &step) {
  if (atEnd() || completedHere > 0)
    return false;
  Step call = step; // whose source is not known yet
  call.source = expected().source;
  if (expected() != call)
    return false;
  source = call.source;
  cursor.next();
  return true;
}

bool StepFollower::expectsCompletions() const {
  return !atEnd() && expected().kind == StepKind::Completions;
}

std::uint64_t StepFollower::complete(std::uint64_t count) {
  while (count > 0 && expectsCompletions()) {
    const std::uint64_t taken = std::min(count, expected().completed - completedHere);
    count -= taken;
    completedHere += taken;
    if (completedHere < expected().completed)
      break;
    completedHere = 0;
    cursor.next();
  }
  return count;
}

} // namespace sendwright
