// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/MeasuredLosses.h"

#include "analysis/file/Escaping.h"

#include <algorithm>
#include <cstdio>

namespace sendwright {

std::vector<MeasuredLoss> measuredLosses(const VerifiedGains &gains, const std::string &gainsName,
                                         const Profile &profile, const std::string &profileName) {
  const std::string shownProfile = printable(profileName);
  if (gains.ranks != static_cast<int>(profile.ranks.size())) {
    std::fprintf(stderr,
                 "sendwright: %s is of a run with %d ranks: nothing of it is used for %s, "
                 "which has %zu\n",
                 gainsName.c_str(), gains.ranks, shownProfile.c_str(), profile.ranks.size());
    return {};
  }
  std::vector<MeasuredLoss> losses;
  for (const VerifiedSite &one : gains.sites) {
    const bool isKnown = std::ranges::any_of(
        profile.sites, [&](const SiteIdentity &site) { return site.sameLoopAs(one.site); });
    if (!isKnown)
      std::fprintf(
          stderr,
          "sendwright: %s: %s%s%s is not in %s: it was measured in another program, or the "
          "source has changed since\n",
          gainsName.c_str(), one.site.display().c_str(), one.site.function.empty() ? "" : " in ",
          one.site.displayFunction().c_str(), shownProfile.c_str());
    else if (one.gain && one.gain->isLoss())
      losses.push_back({one.site, one.transformation, *one.gain});
  }
  return losses;
}

} // namespace sendwright
