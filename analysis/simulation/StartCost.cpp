// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/StartCost.h"

#include "analysis/schedules/Crossovers.h"

#include <algorithm>
#include <cstdint>

namespace sendwright {

double communicatorSeconds(const Machine &machine, std::uint32_t ranks) {
  if (!machine.duplication)
    return 0;
  const CollectiveTask agreement{ranks, 16, 0};
  const LinkParameters &link = linkOfGroup(machine, ranks);
  return bestAlgorithm(Collective::Allreduce, agreement, link).seconds(agreement, link) +
         machine.duplication->seconds * ranks / machine.duplication->ranks;
}

double planStartSeconds(const Timeline &timeline, const Machine &machine) {
  if (!machine.duplication)
    return 0;
  const auto ranks = static_cast<std::uint32_t>(timeline.ranks.size());
  double simulated = 0, all = 0;
  for (const RankTimeline &rank : timeline.ranks) {
    simulated += static_cast<double>(rank.size());
    all += static_cast<double>(rank.profile->sequence.length());
  }
  const double seconds = communicatorSeconds(machine, ranks);
  return all > 0 ? seconds * std::min(1.0, simulated / all) : seconds;
}

} // namespace sendwright
