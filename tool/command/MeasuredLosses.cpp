// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/MeasuredLosses.h"
#include "tool/command/base/Terminal.h"

#include "analysis/file/Escaping.h"

#include <algorithm>
#include <cstdio>

namespace sendwright {

std::vector<MeasuredLoss> measuredLosses(const VerifiedGains &gains, const std::string &gainsName,
                                         const Profile &profile, const std::string &profileName) {
  const std::string shownProfile = printable(profileName);
  if (gains.ranks != static_cast<int>(profile.ranks.size())) {
    printMessage(MessageKind::Note, "sendwright: " + gainsName + " is of a run with " +
                                        std::to_string(gains.ranks) +
                                        " ranks: nothing of it is used for " + shownProfile +
                                        ", which has " + std::to_string(profile.ranks.size()));
    return {};
  }
  std::vector<MeasuredLoss> losses;
  for (const VerifiedSite &one : gains.sites) {
    if (!one.function.empty()) {
      if (one.gain && one.gain->isLoss())
        losses.push_back({{}, one.transformation, *one.gain, one.digest});
      continue;
    }
    const bool isKnown = std::ranges::any_of(
        profile.sites, [&](const SiteIdentity &site) { return site.sameLoopAs(one.site); });
    if (!isKnown)
      printMessage(MessageKind::Note,
                   "sendwright: " + gainsName + ": " + one.site.display() +
                       (one.site.function.empty() ? "" : " in ") + one.site.displayFunction() +
                       " is not in " + shownProfile +
                       ": it was measured in another program, or the source has changed since");
    else if (one.gain && one.gain->isLoss())
      losses.push_back({one.site, one.transformation, *one.gain});
  }
  return losses;
}

} // namespace sendwright
