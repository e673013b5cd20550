// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/completion/LongWaits.h"

namespace sendwright {

namespace {

bool isWaitForAll(const Event &event) {
  return event.kind == EventKind::Call &&
         (event.function == MpiFunctionId::Wait || event.function == MpiFunctionId::Waitall);
}

} // namespace

std::vector<LongWait> findLongWaits(const Profile &profile, double thresholdPercent) {
  std::vector<LongWait> longest(profile.callSites.size());
  for (const RankProfile &rank : profile.ranks) {
    std::vector<double> seconds(profile.callSites.size());
    for (std::size_t number = 0; number < rank.statistics.size(); ++number) {
      const Event &event = rank.events[number];
      if (isWaitForAll(event) && event.call >= 0)
        seconds.at(static_cast<std::size_t>(event.call)) += rank.statistics[number].inside;
    }
    for (std::size_t call = 0; call < seconds.size(); ++call)
      if (rank.seconds > 0 && seconds[call] > longest[call].seconds)
        longest[call] = {profile.callSites[call], seconds[call],
                         100 * seconds[call] / rank.seconds};
  }
  std::erase_if(longest, [&](const LongWait &wait) {
    return wait.seconds <= 0 || wait.percent < thresholdPercent;
  });
  return longest;
}

} // namespace sendwright
