// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/TemplateLoops.h"

#include <algorithm>
#include <map>

namespace sendwright {

std::vector<SiteIdentity>
collectivesOfSeveralInstantiations(const Profile &profile,
                                   const std::vector<CollectiveInSource> &candidates) {
  std::vector<SiteIdentity> loops;
  const auto isLoop = [](const SiteIdentity &loop) {
    return [&loop](const auto &other) { return other.sameLoopAs(loop); };
  };
  for (const CollectiveInSource &candidate : candidates) {
    const auto instantiations =
        std::count_if(profile.sites.begin(), profile.sites.end(), isLoop(candidate.loop));
    const bool isRefused =
        std::any_of(candidates.begin(), candidates.end(), [&](const CollectiveInSource &other) {
          return other.loop.sameLoopAs(candidate.loop) && !other.problem.empty();
        });
    if (instantiations > 1 && !isRefused &&
        std::none_of(loops.begin(), loops.end(), isLoop(candidate.loop)))
      loops.push_back(candidate.loop);
  }
  return loops;
}

Profile withOneSiteFor(const std::vector<SiteIdentity> &loops, Profile profile) {
  std::map<int, int> others; // sites that are replaced by another
  for (const SiteIdentity &loop : loops) {
    int first = noSite;
    for (std::size_t number = 0; number < profile.sites.size(); ++number) {
      SiteIdentity &site = profile.sites[number];
      if (!site.sameLoopAs(loop))
        continue;
      if (first == noSite) {
        first = static_cast<int>(number);
        site.instantiation.clear();
      } else {
        others[static_cast<int>(number)] = first;
        site = {}; // no event refers to it any more
      }
    }
  }
  for (RankProfile &rank : profile.ranks)
    for (Event &event : rank.events)
      if (const auto other = others.find(event.site); other != others.end())
        event.site = other->second;
  return profile;
}

} // namespace sendwright
