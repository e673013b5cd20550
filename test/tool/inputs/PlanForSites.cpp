// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plan-for-sites PLAN DECISION: reads sites, one on each line (file, function, line, ordinal and
// hash, separated by tabs), and writes a plan for 4 ranks in which all sites have the decision
// DECISION and the same figures. Decisions are rewrite; share; incomplete: reordered because it
// cannot be shared; replace: by a broadcast's schedule, whatever the loop is; early: its
// sends complete early; leave; waits: left for another reason; and late: left, with sends that do
// not complete early because they are too large. Or one for each instantiation: "T = int:rewrite,T
// = char:leave".

#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/completion/EarlyCompletion.h"
#include "analysis/file/FormatError.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/RouteTable.h"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace sendwright;

namespace {

/// Instantiations and the decision for each.
std::vector<std::pair<std::string, std::string>> decisionsOf(const std::string &text) {
  std::vector<std::pair<std::string, std::string>> decisions;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t colon = part.rfind(':');
    decisions.emplace_back(colon == std::string::npos ? "" : part.substr(0, colon),
                           part.substr(colon + 1)); // npos + 1 is 0
  }
  return decisions;
}

bool isRewritten(const std::string &decision) {
  return decision == "rewrite" || decision == "share" || decision == "incomplete" ||
         decision == "replace" || decision == "early";
}

SitePlan planned(const std::string &line, const std::string &instantiation,
                 const std::string &decision) {
  const bool rewrites = isRewritten(decision);
  std::istringstream fields(line);
  std::string number;
  SitePlan site;
  std::getline(fields, site.site.file, '\t');
  std::getline(fields, site.site.function, '\t');
  std::getline(fields, number, '\t');
  site.site.line = static_cast<unsigned>(std::stoul(number));
  std::getline(fields, number, '\t');
  site.site.ordinal = static_cast<unsigned>(std::stoul(number));
  std::getline(fields, number, '\t');
  site.site.hash = std::stoull(number, nullptr, 16);
  site.site.instantiation = instantiation;
  site.decision = rewrites ? Decision::Rewrite : Decision::Leave;
  site.reason = rewrites              ? ""
                : decision == "waits" ? "it receives or waits between its sends"
                                      : "it sends to one destination only";
  if (decision == "late") {
    site.of<SiteCompletion>().largest = 4'000'000;
    site.of<SiteCompletion>().refusal =
        RefusalText::asRead("its messages of 4 MB are larger than 1.05 MB");
  }
  if (!rewrites)
    return site;
  site.transformation = "message-ordering";
  site.gain = 12.3e-6;
  site.gainPercent = 22.6;
  if (decision == "early") {
    site.transformation = earlyCompletionStem;
    site.reason = "ranks wait in a line";
    site.of<SiteCompletion>().waiting = 0.25;
    site.of<SiteCompletion>().largest = 100'000;
    return site;
  }
  if (decision == "replace") {
    site.transformation = "collectives";
    site.reason = "a tree is faster";
    site.of<SiteCollective>().prediction = {
        Collective::Broadcast, "binomial tree", 4, 8, 10, 54.3e-6, 42e-6};
    return site;
  }
  OrderingFigures figures;
  figures.phase = "pre-communication, 2 to 3 sends a rank";
  figures.given = 31e-6;
  figures.planned = figures.lowerBound = 24e-6;
  figures.worst = 40e-6;
  figures.unit = 1e-6;
  figures.key = "work + sends that follow";
  figures.reason = "messages are small";
  site.of<SiteOrdering>().figures.push_back(figures);
  if (decision == "incomplete")
    site.of<SiteSharing>().refusal =
        RefusalText::asRead("rank 3 never sends in it, and rank 0 in 10 executions");
  if (decision == "share") {
    site.transformation = "message-sharing";
    site.reason = "messages travel through other ranks";
    site.of<SiteSharing>().prediction = {"store-and-forward in 2 dimensions",
                                         {1, 3, 3, 3, 6, 1, 1},
                                         {2, 2, 2, 2, 4, 1.5, 2},
                                         54.3e-6,
                                         42e-6};
  }
  return site;
}

/// All ranks to all, through a grid of two times two.
void addExchange(RankCountPlan &ranks, std::uint32_t site) {
  ExchangePattern pattern{4, {}};
  RouteTable table{2, {}};
  for (std::int32_t source = 0; source < 4; ++source)
    for (std::int32_t destination = 0; destination < 4; ++destination)
      if (source != destination) {
        pattern.messages.push_back({source, destination, 8});
        const std::int32_t corner = source / 2 * 2 + destination % 2;
        std::vector<Hop> &route = table.routes.emplace_back();
        if (corner != source)
          route.push_back({0, corner});
        if (corner != destination)
          route.push_back({1, destination});
      }
  const std::vector<std::vector<std::int32_t>> tags(pattern.messages.size(), {0});
  ranks.of<SharedExchanges>().rankExchanges.resize(4);
  const auto number = static_cast<std::uint32_t>(ranks.of<SharedExchanges>().exchanges.size());
  ranks.of<SharedExchanges>().exchanges.push_back({site,
                                                   {{0, 1, 2, 3}, 0, false},
                                                   "store-and-forward in 2 dimensions",
                                                   2,
                                                   pattern.messages.size()});
  const std::vector<RankExchange> parts = partsOfRanks(number, pattern, tags, table);
  for (std::size_t rank = 0; rank < 4; ++rank)
    ranks.of<SharedExchanges>().rankExchanges[rank].push_back(parts[rank]);
}

void addBroadcast(RankCountPlan &ranks, std::uint32_t site) {
  const LinkParameters link{1e-6, 1e-6, 1e-6, 1e-6, 0};
  const Schedule schedule =
      algorithmsOf(Collective::Broadcast)[1].schedule({4, 8, 0}, link, SlotsKept::Yes);
  addCollective(ranks.of<PlannedCollectives>(), 4, site,
                {site, Collective::Broadcast, {{0, 1, 2, 3}, 0, false}, 0, "binomial tree", 8, 1},
                collectivePartsOf(0, schedule));
}

void addEarly(RankCountPlan &ranks, std::uint32_t site) {
  EarlyCompletions &early = ranks.of<EarlyCompletions>();
  early.sites.push_back(site);
  early.least = 65'537;
  early.most = standardEarlyBytes;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  Plan plan;
  RankCountPlan &ranks = plan.rankCounts[4];
  ranks.profile = "test.prof";
  ranks.of<PlannedOrders>().ranks.resize(4);
  for (std::string line; std::getline(std::cin, line);)
    for (const auto &[instantiation, decision] : decisionsOf(argv[2])) {
      const auto index = static_cast<std::uint32_t>(ranks.sites.size());
      ranks.sites.push_back(planned(line, instantiation, decision));
      if (decision == "share")
        addExchange(ranks, index);
      else if (decision == "replace")
        addBroadcast(ranks, index);
      else if (decision == "early")
        addEarly(ranks, index);
      const bool ordered = decision == "rewrite" || decision == "incomplete";
      for (int rank = 0; ordered && rank < 4; ++rank)
        ranks.of<PlannedOrders>().ranks[static_cast<std::size_t>(rank)].push_back(
            {index, {{{(rank + 3) % 4, (rank + 1) % 4, (rank + 2) % 4}, 0, 1}}});
    }
  try {
    writePlan(plan, argv[1]);
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
