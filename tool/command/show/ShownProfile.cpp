// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers counts from the grammars (how often each event occurs is linear in the compressed size)
// and statistics, never from the expanded runs.

#include "tool/command/show/ShownProfile.h"

#include "analysis/file/Escaping.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/trace/Matching.h"
#include "tool/command/show/ShownLeftOut.h"
#include "tool/command/show/ShownLoads.h"
#include "tool/command/show/ShownRedistributions.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostRows = 64; // number of ranks in a table

struct FunctionTotals {
  std::uint64_t calls = 0, bytes = 0;
  double inside = 0;
};

struct SiteTotals {
  std::uint64_t executions = 0, sends = 0, bytes = 0;
  std::map<std::size_t, std::set<int>> destinations; ///< keyed by sending rank
};

class ProfileSummary {
public:
  ProfileSummary(const Profile &profile, const std::string &name)
      : profile(profile), refusals(loopRefusals(profile, decodeUnits(profile, name))),
        sites(profile.sites.size()) {
    for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
      add(rank);
  }

  Json json(std::size_t fileSize) const {
    Json json = {{"kind", "profile"},
                 {"program", profile.program},
                 {"ranks", profile.ranks.size()},
                 {"file_bytes", fileSize},
                 {"seconds", seconds},
                 {"events", events},
                 {"stored_items", items},
                 {"hosts", hosts.size()},
                 {"units", Json::array()},
                 {"functions", functionsJson()},
                 {"sites", sitesJson()},
                 {"exchanges", exchangesJson(profile)},
                 {"redistributions", redistributionsJson(frequentRedistributions(profile))},
                 {"loads", loadsJson(profile, nullptr)},
                 {"communicators", communicatorsJson()},
                 {"left_out", leftOutJson(profile)},
                 {"rank_list", rankList}};
    for (const ProfiledUnit &unit : profile.units)
      json["units"].push_back(unit.file);
    return json;
  }

private:
  void add(std::size_t index) {
    const RankProfile &rank = profile.ranks[index];
    std::vector<std::uint64_t> counts =
        rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
    for (std::size_t event = 0; event < rank.statistics.size(); ++event)
      counts[event] = std::max(counts[event], rank.statistics[event].count);
    for (std::size_t event = 0; event < rank.events.size(); ++event) {
      const double inside = rank.statistics.empty() ? 0 : rank.statistics[event].inside;
      addEvent(index, rank.events[event], counts[event], inside);
    }
    std::size_t stored = 0;
    for (const std::vector<GrammarItem> &rule : rank.sequence.rules)
      stored += rule.size();
    for (const Communicator &communicator : rank.communicators)
      ++communicators[{communicator.members.size(), communicator.intercommunicator}];
    const std::uint64_t length = rank.sequence.length();
    events += length;
    items += stored;
    seconds = std::max(seconds, rank.seconds);
    hosts.insert(rank.host);
    rankList.push_back({{"rank", index},
                        {"host", rank.host},
                        {"seconds", rank.seconds},
                        {"events", length},
                        {"distinct_events", rank.events.size()},
                        {"stored_items", stored},
                        {"truncated", rank.truncated}});
  }

  void addEvent(std::size_t rank, const Event &event, std::uint64_t count, double inside) {
    SiteTotals *site = event.site < 0 ? nullptr : &sites[static_cast<std::size_t>(event.site)];
    if (event.kind == EventKind::SiteEnter && site)
      site->executions += count;
    if (event.kind != EventKind::Call)
      return;
    FunctionTotals &function = functions[mpiFunction(event.function).name];
    function.calls += count;
    function.bytes += count * event.bytes;
    function.inside += inside;
    if (!site || !sendsMessage(event))
      return;
    site->sends += count;
    site->bytes += count * event.bytes;
    site->destinations[rank].insert(event.peer);
  }

  Json functionsJson() const {
    Json list = Json::array();
    for (const auto &[name, totals] : functions)
      list.push_back({{"name", name},
                      {"calls", totals.calls},
                      {"bytes", totals.bytes},
                      {"seconds_inside", totals.inside}});
    return list;
  }

  Json sitesJson() const {
    Json list = Json::array();
    for (std::size_t index = 0; index < sites.size(); ++index) {
      const SiteIdentity &site = profile.sites[index];
      const SiteTotals &totals = sites[index];
      std::size_t most = 0, least = totals.destinations.empty() ? 0 : SIZE_MAX;
      for (const auto &[rank, destinations] : totals.destinations) {
        most = std::max(most, destinations.size());
        least = std::min(least, destinations.size());
      }
      list.push_back({{"file", site.file},
                      {"line", site.line},
                      {"function", site.function},
                      {"instantiation", site.instantiation},
                      {"executions", totals.executions},
                      {"sends", totals.sends},
                      {"bytes", totals.bytes},
                      {"sending_ranks", totals.destinations.size()},
                      {"destinations_min", least},
                      {"destinations_max", most}});
      if (!refusals[index].empty())
        list.back()["refused"] = refusals[index];
    }
    return list;
  }

  Json communicatorsJson() const {
    Json list = Json::array();
    for (const auto &[key, ranks] : communicators)
      list.push_back(
          {{"members", key.first}, {"intercommunicator", key.second}, {"seen_by_ranks", ranks}});
    return list;
  }

  const Profile &profile;
  const std::vector<std::string> refusals; // per site
  std::map<std::string_view, FunctionTotals> functions;
  std::vector<SiteTotals> sites;
  std::map<std::pair<std::size_t, bool>, std::size_t> communicators; // (members, inter) -> seen
  std::set<std::string> hosts;
  std::uint64_t events = 0, items = 0;
  double seconds = 0;
  Json rankList = Json::array();
};

unsigned long long whole(const Json &value) { return value.get<std::uint64_t>(); }

std::string shownText(const Json &value) { return printable(value.get<std::string>()); }

void printFunctions(const Json &functions) {
  std::printf("\n%-28s %14s %18s %14s\n", "function", "calls", "bytes", "s inside");
  for (const Json &each : functions)
    std::printf("%-28s %14llu %18llu %14.6f\n", shownText(each["name"]).c_str(),
                whole(each["calls"]), whole(each["bytes"]), each["seconds_inside"].get<double>());
}

void printSites(const Json &sites) {
  if (sites.empty())
    return;
  std::printf("\n%-36s %12s %12s %16s %9s %12s\n", "site", "executions", "sends", "bytes",
              "senders", "destinations");
  for (const Json &each : sites) {
    const std::string place =
        shownText(each["file"]) + ":" + std::to_string(each["line"].get<unsigned>());
    const unsigned long long least = whole(each["destinations_min"]),
                             most = whole(each["destinations_max"]);
    const std::string destinations = least == most
                                         ? std::to_string(most)
                                         : std::to_string(least) + " to " + std::to_string(most);
    std::printf("%-36s %12llu %12llu %16llu %9llu %12s", place.c_str(), whole(each["executions"]),
                whole(each["sends"]), whole(each["bytes"]), whole(each["sending_ranks"]),
                destinations.c_str());
    SiteIdentity site;
    site.function = each["function"];
    site.instantiation = each["instantiation"];
    std::printf("%s%s\n", site.function.empty() ? "" : "  in ", site.displayFunction().c_str());
    const std::string refusal = each.value("refused", "");
    if (most > 1 && !refusal.empty())
      std::printf("    the compiler would leave it: it %s\n", printable(refusal).c_str());
  }
}

void printRanks(const Json &ranks) {
  std::printf("\n%6s %14s %10s %10s %12s  %s\n", "rank", "events", "distinct", "stored", "seconds",
              "host");
  std::size_t rows = 0;
  for (const Json &each : ranks) {
    if (++rows > mostRows) {
      std::printf("   ... %zu more (--json lists all)\n", ranks.size() - mostRows);
      break;
    }
    std::printf("%6llu %14llu %10llu %10llu %12.6f  %s%s\n", whole(each["rank"]),
                whole(each["events"]), whole(each["distinct_events"]), whole(each["stored_items"]),
                each["seconds"].get<double>(), shownText(each["host"]).c_str(),
                each["truncated"].get<bool>() ? "  (recording stopped at its limit)" : "");
  }
}

} // namespace

Json profileJson(const Profile &profile, const std::string &name, std::size_t fileSize) {
  return ProfileSummary(profile, name).json(fileSize);
}

void printProfile(const Json &shown) {
  const std::string program = shownText(shown["program"]);
  std::printf("profile of %s: %llu ranks on %llu hosts, %.6f s\n",
              program.empty() ? "a program without a name" : program.c_str(), whole(shown["ranks"]),
              whole(shown["hosts"]), shown["seconds"].get<double>());
  std::printf("%llu events, stored as %llu items in %llu bytes\n", whole(shown["events"]),
              whole(shown["stored_items"]), whole(shown["file_bytes"]));
  if (!shown["units"].empty())
    std::printf("%zu translation units compiled with the plugin\n", shown["units"].size());
  for (const Json &each : shown["communicators"])
    std::printf("%sommunicators of %llu ranks: seen %llu times by a rank\n",
                each["intercommunicator"].get<bool>() ? "interc" : "c", whole(each["members"]),
                whole(each["seen_by_ranks"]));
  printFunctions(shown["functions"]);
  printSites(shown["sites"]);
  printExchanges(shown["exchanges"]);
  printRedistributions(stdout, shown["redistributions"]);
  printLeftOut(stdout, shown["left_out"]);
  printLoads(stdout, shown["loads"]);
  printRanks(shown["rank_list"]);
}

} // namespace sendwright
