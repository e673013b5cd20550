// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownProfile.h"

#include "analysis/file/Escaping.h"
#include "analysis/run/Exchanges.h"

#include <cstdio>
#include <string>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

// Unlike everything else that is shown, messages are matched one by one.
constexpr std::uint64_t mostEvents = 2'000'000;

Json placesJson(const std::set<Place> &places, const Profile &profile) {
  Json list = Json::array();
  for (const Place &place : places)
    list.push_back(place.site != noSite
                       ? profile.sites[static_cast<std::size_t>(place.site)].display()
                   : place.caller.empty() ? "no marked loop"
                                          : place.caller);
  return list;
}

void printPlaces(const char *what, const Json &places) {
  if (places.empty())
    return;
  std::printf("    %-9s", what);
  std::size_t shown = 0;
  for (const Json &place : places) {
    if (++shown > 4) {
      std::printf(" and %zu more", places.size() - 4);
      break;
    }
    std::printf("%s %s", shown > 1 ? "," : "", printable(place.get<std::string>()).c_str());
  }
  std::printf("\n");
}

} // namespace

Json exchangesJson(const Profile &profile) {
  Json list = Json::array();
  for (const Exchange &exchange : findExchanges(profile, matchMessages(profile, {mostEvents})))
    list.push_back({{"sends", placesJson(exchange.sends, profile)},
                    {"receives", placesJson(exchange.receives, profile)},
                    {"completions", placesJson(exchange.completions, profile)},
                    {"messages", exchange.messages},
                    {"bytes", exchange.bytes}});
  return list;
}

void printExchanges(const Json &exchanges) {
  if (!exchanges.empty())
    std::printf("\nexchanges: sends and the receives that take their messages\n");
  for (const Json &each : exchanges) {
    std::printf("  %llu messages, %llu bytes\n",
                static_cast<unsigned long long>(each["messages"].get<std::uint64_t>()),
                static_cast<unsigned long long>(each["bytes"].get<std::uint64_t>()));
    printPlaces("sent", each["sends"]);
    printPlaces("received", each["receives"]);
    printPlaces("waited", each["completions"]);
  }
}

} // namespace sendwright
