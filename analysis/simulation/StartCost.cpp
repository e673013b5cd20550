// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/StartCost.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/schedules/Crossovers.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sendwright {

namespace {

constexpr double agreedBytes = 32; // of a plan's digest, and of what one use of it needs
constexpr double meetingBytes = 8;

/// Ranks tell one another at distances 1, 2, 4 and so on.
double secondsOfRounds(const Machine &machine, std::uint32_t ranks, double bytes) {
  const double step = messageCost(linkOfGroup(machine, ranks), bytes).step();
  return static_cast<double>(std::bit_width(std::max(ranks, 1u) - 1)) * step;
}

} // namespace

double communicatorSeconds(const Machine &machine, std::uint32_t ranks) {
  if (!machine.duplication)
    return 0;
  const CollectiveTask agreement{ranks, 16, 0};
  const LinkParameters &link = linkOfGroup(machine, ranks);
  return bestAlgorithm(Collective::Allreduce, agreement, link).seconds(agreement, link) +
         duplicationSeconds(machine, ranks);
}

double planStartSeconds(const Machine &machine, std::uint32_t ranks) {
  return machine.duplication
             ? duplicationSeconds(machine, ranks) + secondsOfRounds(machine, ranks, agreedBytes)
             : 0;
}

double planEndSeconds(const Machine &machine, std::uint32_t ranks) {
  return machine.duplication ? secondsOfRounds(machine, ranks, meetingBytes) : 0;
}

double partOfRun(const Timeline &timeline) {
  double simulated = 0, all = 0;
  for (const RankTimeline &rank : timeline.ranks) {
    simulated += static_cast<double>(rank.size());
    all += static_cast<double>(rank.profile->sequence.length());
  }
  return all > 0 ? std::min(1.0, simulated / all) : 1;
}

} // namespace sendwright
