// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/StartOfSharing.h"

#include "analysis/sharing/ChosenRoutes.h"
#include "analysis/sharing/GatherTree.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

std::uint64_t executionsWorthStart(const ExecutionGain &of, std::size_t ranks,
                                   const Machine &machine, bool atCall) {
  constexpr double most = 1e15; // fits
  constexpr double surePart = 0.35, mostLater = 8;
  const LinkParameters &link = machine.between;
  const auto children = static_cast<double>(GatherTree(ranks).mostChildren());
  const double meeting = meetingSeconds(ranks, machine);
  const double start =
      atCall ? children * link.o_send + 2 * meeting
             : (static_cast<double>(ranks) + children) * (link.o_send + link.o_recv) + meeting;
  const double later = std::clamp(surePart * of.seconds / of.gain, 1.0, mostLater);
  return static_cast<std::uint64_t>(std::ceil(std::min(later * start / of.gain, most)));
}

} // namespace sendwright
