// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownLeftOut.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

struct LeftOutAtPlace {
  std::set<std::size_t> ranks;
  std::uint64_t calls = 0, uncounted = 0, bytes = 0;
};
using PlaceAndFunction = std::pair<std::string, std::string>;

PlaceAndFunction placeOf(const Profile &profile, const RankProfile &rank,
                         const LeftOutCalls &calls) {
  if (calls.site != noSite) {
    const SiteIdentity &site = profile.sites[static_cast<std::size_t>(calls.site)];
    return {site.display(), site.displayFunction()};
  }
  return {calls.address > 0 ? printable(rank.callers[calls.address - 1]) : "outside loops", ""};
}

void addSaturating(std::uint64_t &sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum))
    sum = UINT64_MAX;
}

} // namespace

nlohmann::ordered_json leftOutJson(const Profile &profile) {
  std::map<PlaceAndFunction, LeftOutAtPlace> places;
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    for (const LeftOutCalls &calls : profile.ranks[rank].leftOut) {
      LeftOutAtPlace &place = places[placeOf(profile, profile.ranks[rank], calls)];
      place.ranks.insert(rank);
      addSaturating(place.calls, calls.calls);
      addSaturating(place.uncounted, calls.uncounted);
      addSaturating(place.bytes, calls.bytes);
    }
  std::vector<std::pair<PlaceAndFunction, LeftOutAtPlace>> sorted(places.begin(), places.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &one, const auto &other) {
    return one.second.calls > other.second.calls;
  });
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto &[name, place] : sorted)
    json.push_back({{"place", name.first},
                    {"function", name.second},
                    {"ranks", place.ranks.size()},
                    {"calls", place.calls},
                    {"uncounted", place.uncounted},
                    {"bytes", place.bytes}});
  return json;
}

void printLeftOut(std::FILE *out, const nlohmann::ordered_json &places) {
  constexpr std::size_t mostPlaces = 32;
  if (places.empty())
    return;
  std::fprintf(out,
               "\nranks reached their limit on memory (SENDWRIGHT_PROFILE_MEMORY); left out:\n");
  for (std::size_t number = 0; number < std::min(places.size(), mostPlaces); ++number) {
    const nlohmann::ordered_json &each = places[number];
    const std::string function = each["function"];
    std::fprintf(out, "  %s%s%s: the order of %llu calls of %llu ranks",
                 each["place"].get<std::string>().c_str(), function.empty() ? "" : " in ",
                 function.c_str(),
                 static_cast<unsigned long long>(each["calls"].get<std::uint64_t>()),
                 static_cast<unsigned long long>(each["ranks"].get<std::uint64_t>()));
    if (const std::uint64_t uncounted = each["uncounted"].get<std::uint64_t>())
      std::fprintf(out, "; %llu of them, with %s, are not counted either",
                   static_cast<unsigned long long>(uncounted),
                   bytesText(each["bytes"].get<std::uint64_t>()).c_str());
    std::fprintf(out, "\n");
  }
  if (places.size() > mostPlaces)
    std::fprintf(out, "  and %zu more places (sendwright show --json)\n",
                 places.size() - mostPlaces);
}

} // namespace sendwright
