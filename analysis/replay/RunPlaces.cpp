// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/replay/RunPlaces.h"

#include "analysis/plan/Plan.h"
#include "analysis/trace/TraceLocation.h"

#include <map>
#include <utility>

namespace sendwright {

namespace {

SimulatedPlace simulatedPlaceOf(const Event &event, const RankProfile &rank,
                                const Profile &profile) {
  SimulatedPlace place;
  place.place = callPlace(profile, rank, event);
  if (event.kind == EventKind::Call)
    place.function = mpiFunction(event.function).name;
  else if (event.kind == EventKind::Redistribution)
    place.function = "redistribute";
  return place;
}

} // namespace

std::vector<std::vector<std::uint32_t>> numberPlaces(const Profile &profile,
                                                     std::vector<SimulatedPlace> &places) {
  std::vector<std::vector<std::uint32_t>> numbers;
  std::map<std::pair<std::string, std::string>, std::uint32_t> known;
  for (const RankProfile &rank : profile.ranks) {
    std::vector<std::uint32_t> &ofRank = numbers.emplace_back();
    for (const Event &event : rank.events) {
      SimulatedPlace place = simulatedPlaceOf(event, rank, profile);
      const auto [found, isNew] = known.try_emplace({place.place, place.function},
                                                    static_cast<std::uint32_t>(places.size()));
      if (isNew)
        places.push_back(std::move(place));
      ofRank.push_back(found->second);
    }
  }
  return numbers;
}

std::map<int, std::uint32_t> plannedSites(const Profile &profile, const RankCountPlan &plan) {
  std::map<int, std::uint32_t> planned;
  for (std::uint32_t number = 0; number < plan.sites.size(); ++number)
    for (std::size_t site = 0; site < profile.sites.size(); ++site)
      if (plan.sites[number].decision == Decision::Rewrite &&
          (plan.sites[number].site.instantiation.empty()
               ? plan.sites[number].site.sameLoopAs(profile.sites[site])
               : plan.sites[number].site.sameAs(profile.sites[site])))
        planned.try_emplace(static_cast<int>(site), number);
  return planned;
}

} // namespace sendwright
