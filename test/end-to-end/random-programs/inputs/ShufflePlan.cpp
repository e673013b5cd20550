// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shuffle-plan PROFILE PLAN OUT SEED [all|orderable|shared|collectives]: makes a plan as wild as
// a plan may be. Every site that sends is rewritten, whatever it gains; its messages go in a
// random order, within a random window, and some destinations are missing from the plan. A
// program must print the same under any such plan. With "orderable", sites for which the planner
// found nothing to order are left, with its reason. With "shared", the messages of every complete
// exchange also travel by random routes; prints the number of these exchanges. With
// "collectives", every loop that is a collective operation uses a random algorithm; prints the
// number of these loops. All calls of irregular
// collectives are replaced, half of them with random routes for small blocks.

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/file/FormatError.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/program/ProgramSummary.h"
#include "analysis/run/SendLoops.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharableExchanges.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/RouteTable.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string_view>
#include <utility>

using namespace sendwright;

namespace {

SendLoops loopsOf(const Profile &profile, const Timeline &timeline) {
  return findSendLoops(profile, timeline, loopRefusals(profile, decodeUnits(profile, "profile")));
}

/// The site whose batches hold the sends of each site.
std::vector<int> holders(const Profile &profile, bool all) {
  std::vector<int> found(profile.sites.size());
  std::iota(found.begin(), found.end(), 0);
  if (all)
    return found;
  const SendLoops loops = loopsOf(profile, unroll(profile, 20'000'000));
  for (std::size_t site = 0; site < found.size(); ++site)
    if (loops.loops[site].batchSite != noSite)
      found[site] = loops.loops[site].batchSite;
  return found;
}

/// The destinations of each site at one rank, repeated for each event that names them.
std::map<int, std::vector<int>> destinations(const RankProfile &rank,
                                             const std::vector<int> &holders) {
  std::map<int, std::vector<int>> found;
  for (const Event &event : rank.events)
    if (event.kind == EventKind::Call && event.site >= 0 && event.peer >= 0 &&
        isSend(mpiFunction(event.function).role))
      found[holders.at(static_cast<std::size_t>(event.site))].push_back(event.peer);
  return found;
}

SendOrder shuffled(std::vector<int> peers, std::mt19937 &random) {
  SendOrder order;
  std::shuffle(peers.begin(), peers.end(), random);
  for (const int peer : peers)
    if (random() % 8 != 0)
      order.destinations.push_back(peer);
  order.window = static_cast<std::uint32_t>(random() % 4);
  order.instances = 1;
  return order;
}

/// Whether a site holds messages that can be ordered, whatever the order gains.
bool orderable(const RankCountPlan &planned, const SiteIdentity &site) {
  return std::ranges::any_of(planned.sites, [&](const SitePlan &one) {
    return one.site.sameAs(site) && !one.of<SiteOrdering>().figures.empty();
  });
}

void shuffle(Plan &plan, const Profile &profile, bool all, std::mt19937 &random) {
  const RankCountPlan &planned = plan.rankCounts[static_cast<int>(profile.ranks.size())];
  RankCountPlan wild;
  wild.of<PlannedOrders>().ranks.resize(profile.ranks.size());
  if (!all)
    for (const SitePlan &site : planned.sites)
      if (site.of<SiteOrdering>().figures.empty()) {
        wild.sites.push_back(site);
        wild.sites.back().decision = Decision::Leave; // what a schedule was for has none here
        wild.sites.back().transformation.clear();
      }
  const std::vector<int> holding = holders(profile, all);
  std::map<int, std::uint32_t> numbers;
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    for (auto &[site, peers] : destinations(profile.ranks[rank], holding)) {
      if (!all && !orderable(planned, profile.sites.at(static_cast<std::size_t>(site))))
        continue;
      const auto [place, added] = numbers.emplace(site, wild.sites.size());
      if (added) {
        SitePlan rewritten;
        rewritten.site = profile.sites.at(static_cast<std::size_t>(site));
        rewritten.decision = Decision::Rewrite;
        rewritten.transformation = "message-ordering";
        rewritten.reason = "shuffled";
        wild.sites.push_back(rewritten);
      }
      RankSite orders;
      orders.site = place->second;
      for (int patterns = 1 + static_cast<int>(random() % 2); patterns > 0; --patterns)
        orders.orders.push_back(shuffled(peers, random));
      wild.of<PlannedOrders>().ranks[rank].push_back(orders);
    }
  plan.rankCounts = {{static_cast<int>(profile.ranks.size()), wild}};
}

/// Routes in at most this many stages, through any members of the group, each at most once.
std::vector<Hop> randomRoute(const PatternMessage &message, const std::vector<int> &group,
                             std::int32_t stages, std::mt19937 &random) {
  std::vector<Hop> route;
  std::set<std::int32_t> seen{message.source, message.destination};
  const auto last = static_cast<std::int32_t>(random() % static_cast<unsigned>(stages));
  for (std::int32_t stage = 0; stage < last; ++stage) {
    const std::int32_t next = group[random() % group.size()];
    if (random() % 2 && seen.insert(next).second)
      route.push_back({stage, next});
  }
  route.push_back({last, message.destination});
  return route;
}

void share(RankCountPlan &plan, std::uint32_t site, const SharableExchange &exchange,
           std::mt19937 &random) {
  const auto ranks = static_cast<std::int32_t>(plan.of<PlannedOrders>().ranks.size());
  const std::vector<int> &group = exchange.communicator.members;
  ExchangePattern pattern{ranks, {}};
  std::vector<std::vector<std::int32_t>> tags;
  for (const ExchangedMessage &message : exchange.messages) { // source, destination, tag
    if (pattern.messages.empty() || pattern.messages.back().source != message.source ||
        pattern.messages.back().destination != message.destination) {
      pattern.messages.push_back({message.source, message.destination, 1});
      tags.emplace_back();
    }
    if (tags.back().empty() || tags.back().back() != message.tag) // anyTag comes several times
      tags.back().push_back(message.tag);
  }
  RouteTable table{1 + static_cast<std::int32_t>(random() % 4), {}};
  for (const PatternMessage &message : pattern.messages)
    table.routes.push_back(randomRoute(message, group, table.stages, random));
  const auto number = static_cast<std::uint32_t>(plan.of<SharedExchanges>().exchanges.size());
  plan.of<SharedExchanges>().exchanges.push_back({site, exchange.communicator, "random routes",
                                                  static_cast<std::uint32_t>(table.stages),
                                                  pattern.messages.size()});
  plan.of<SharedExchanges>().rankExchanges.resize(plan.of<PlannedOrders>().ranks.size());
  std::vector<RankExchange> parts = partsOfRanks(number, pattern, tags, table);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (!parts[rank].messages.empty())
      plan.of<SharedExchanges>().rankExchanges[rank].push_back(std::move(parts[rank]));
    std::erase_if(plan.of<PlannedOrders>().ranks[rank],
                  [&](const RankSite &orders) { return orders.site == site; });
  }
  plan.sites[site].transformation = "message-sharing";
}

/// By any algorithm or, where the blocks allow it, by MPI's own function.
PlannedCollective randomCollective(const CollectiveFinding &finding,
                                   std::vector<RankCollective> &parts, std::mt19937 &random) {
  const auto ranks = static_cast<std::uint32_t>(finding.communicator.members.size());
  const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(finding.operation);
  const std::size_t choice = random() % (algorithms.size() + 1);
  PlannedCollective chosen{
      0, finding.operation, finding.communicator, finding.root, "", finding.bytes, 0};
  parts.assign(ranks, {});
  chosen.slots = static_cast<std::uint32_t>(slotsOf(finding.operation, ranks, false));
  if (choice == algorithms.size() && finding.leastBytes == finding.bytes) {
    chosen.algorithm = libraryFunctionOf(finding.operation);
    return chosen;
  }
  const CollectiveAlgorithm &algorithm = algorithms[choice % algorithms.size()];
  const Schedule schedule =
      algorithm.schedule({ranks, finding.bytes, finding.root}, Machine().between, SlotsKept::Yes);
  for (const std::vector<std::uint32_t> &slots : schedule.slots)
    for (const std::uint32_t slot : slots)
      if (slot > 0) // a whole message is slot 0
        chosen.slots = static_cast<std::uint32_t>(slotsOf(finding.operation, ranks, true));
  chosen.algorithm = algorithm.name;
  parts = collectivePartsOf(0, schedule);
  return chosen;
}

/// The index in the plan of a loop that is rewritten; a loop of receives is added.
std::uint32_t rewrittenSite(RankCountPlan &plan, const SiteIdentity &site) {
  for (std::uint32_t place = 0; place < plan.sites.size(); ++place)
    if (plan.sites[place].site.sameAs(site))
      return place;
  plan.sites.emplace_back();
  plan.sites.back().site = site;
  return static_cast<std::uint32_t>(plan.sites.size() - 1);
}

/// Lets loops that are collective operations use schedules, whatever these gain.
void replaceLoops(Plan &plan, const RankCountPlan &planned, const Profile &profile,
                  std::mt19937 &random) {
  RankCountPlan &wild = plan.rankCounts[static_cast<int>(profile.ranks.size())];
  const Timeline timeline = unroll(profile, 20'000'000);
  const SendLoops loops = loopsOf(profile, timeline);
  std::map<std::uint32_t, const CollectiveFinding *> replaced;
  const std::vector<CollectiveFinding> findings =
      confirmCollectives(profile, timeline, loops, decodeUnits(profile, "profile").collectives);
  for (const CollectiveFinding &finding : findings) {
    const SiteIdentity &site = profile.sites[static_cast<std::size_t>(finding.site)];
    const auto known = std::ranges::find_if(
        planned.sites, [&](const SitePlan &one) { return one.site.sameAs(site); });
    if (finding.refusal || known == planned.sites.end() ||
        !known->of<SiteCollective>().prediction)
      continue;
    const std::uint32_t place = rewrittenSite(wild, site);
    SitePlan &sitePlan = wild.sites[place];
    sitePlan.decision = Decision::Rewrite;
    sitePlan.transformation = "collectives";
    sitePlan.reason = "a random algorithm";
    sitePlan.of<SiteCollective>().prediction = known->of<SiteCollective>().prediction;
    sitePlan.of<SiteCollective>().refusal.reset();
    replaced[place] = &finding;
  }
  for (const auto &[place, finding] : replaced) {
    std::vector<RankCollective> parts;
    const PlannedCollective chosen = randomCollective(*finding, parts, random);
    wild.sites[place].of<SiteCollective>().prediction->algorithm = chosen.algorithm;
    for (std::vector<RankSite> &orders : wild.of<PlannedOrders>().ranks)
      std::erase_if(orders, [&](const RankSite &order) { return order.site == place; });
    addCollective(wild.of<PlannedCollectives>(), profile.ranks.size(), place, chosen, parts);
  }
  std::printf("%zu loops are collective operations\n",
              wild.of<PlannedCollectives>().collectives.size());
}

/// Shares what may be shared of the sites that are rewritten.
void shareAll(Plan &plan, const Profile &profile, std::mt19937 &random) {
  RankCountPlan &wild = plan.rankCounts[static_cast<int>(profile.ranks.size())];
  const Timeline timeline = unroll(profile, 20'000'000);
  const SendLoops loops = loopsOf(profile, timeline);
  for (const ExchangeFinding &finding : findSharableExchanges(profile, timeline, loops))
    for (std::uint32_t site = 0; site < wild.sites.size(); ++site)
      if (!finding.refusal && wild.sites[site].decision == Decision::Rewrite &&
          wild.sites[site].site.sameAs(profile.sites[static_cast<std::size_t>(finding.site)]))
        share(wild, site, finding.exchange, random);
  std::printf("%zu exchanges are shared\n", wild.of<SharedExchanges>().exchanges.size());
}

/// Small blocks of some pairs of ranks travel by random routes.
void routeBlocks(IrregularCollectives &own, std::size_t ranks, std::mt19937 &random) {
  ReplacedIrregular &replaced = own.replaced.back();
  const std::vector<int> &group = replaced.calls.communicator.members;
  ExchangePattern pattern{static_cast<std::int32_t>(ranks), {}};
  RouteTable table{1 + static_cast<std::int32_t>(random() % 4), {}};
  for (const int source : group)
    for (const int destination : group)
      if (source != destination && random() % 4) {
        pattern.messages.push_back({source, destination, 1});
        table.routes.push_back(randomRoute(pattern.messages.back(), group, table.stages, random));
      }
  replaced.stages = static_cast<std::uint32_t>(table.stages);
  replaced.largest = 1 + random() % 200;
  const std::vector<std::vector<std::int32_t>> tags(pattern.messages.size(), {0});
  own.routes.resize(ranks);
  std::vector<RankExchange> parts = partsOfRanks(
      static_cast<std::uint32_t>(own.replaced.size() - 1), pattern, tags, table);
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    if (!parts[rank].messages.empty())
      own.routes[rank].push_back(std::move(parts[rank]));
}

/// Whatever it gains, and however dense the calls are. `planned`: what the planner decided.
void replaceIrregular(Plan &plan, const RankCountPlan &planned, const Profile &profile,
                      std::mt19937 &random) {
  IrregularCollectives &own =
      plan.rankCounts[static_cast<int>(profile.ranks.size())].of<IrregularCollectives>();
  own = planned.of<IrregularCollectives>();
  for (IrregularDecision &decision : own.decisions)
    if (canReplace(decision.calls.function) && !std::exchange(decision.replaced, true)) {
      own.replaced.push_back({decision.calls, 0, 0}); // where it gains, perhaps by routes already
      if (random() % 2)
        routeBlocks(own, profile.ranks.size(), random);
    }
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view sites = argc == 6 ? argv[5] : "all";
  if (argc < 5 || argc > 6 ||
      (sites != "all" && sites != "orderable" && sites != "shared" && sites != "collectives")) {
    std::fprintf(stderr,
                 "usage: shuffle-plan PROFILE PLAN OUT SEED [all|orderable|shared|collectives]\n");
    return 2;
  }
  try {
    Plan plan = readPlan(argv[2]);
    std::mt19937 random(static_cast<unsigned>(std::atoi(argv[4])));
    const Profile profile = readProfile(argv[1]);
    const RankCountPlan planned = plan.rankCounts[static_cast<int>(profile.ranks.size())];
    shuffle(plan, profile, sites == "all", random);
    replaceIrregular(plan, planned, profile, random);
    if (sites == "shared")
      shareAll(plan, profile, random);
    if (sites == "collectives")
      replaceLoops(plan, planned, profile, random);
    writePlan(plan, argv[3]);
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
