// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a plan file from a few words on standard input, for tests of the runtime that need no
// profile:
//
//     ranks 4                        the number of ranks; what follows belongs to it
//     site 1                         a site with this hash (loops of planned-loop.h)
//     site 1 Value = int             an instantiation of it
//     order * window=0 3 2 1 0       of all ranks, or of one: destinations in the order to send
//     staggered 1                    the site's order was chosen for large messages, so many in
//                                    flight at once
//     exchange direct                the site's messages are shared, by routes straight to their
//                                    destinations or through a grid ("2x4x2", the first dimension
//                                    varying fastest), one stage for each dimension
//     exchange 2x2 instance=1 members=3,2,1,0   on another communicator than MPI_COMM_WORLD
//     exchange 2x2 any-source=0,3    these ranks receive from any source, too
//     message 0 3 5 7                in it: from 0 to 3 with tags 5 and 7; all to all others with
//     messages 5 7                   the same tags; tag -1: with any tag
//     exchange stages=3              by routes that are given, message by message:
//     route 0 3 5 0:2 2:3            from 0 to 3 with tag 5, in stage 0 to 2 and in stage 2 to 3
//     steps 1 0 0:2                  instances before each collective call of the recorded run: of
//                                    the first exchange, of the second after a colon, and so on
//     collective reduce root=2 bytes=80 instance=1 members=3,2,1 binomial tree
//                                    the site is that operation, by the algorithm of that name, or
//                                    by MPI's function (MPI_Reduce);
//                                    machine=FILE says for which links a tree is the best one
//     early least=1000 most=4000     blocking sends of 1000 bytes and more at the site leave from
//                                    copies of 4000 bytes at a time at most
//     irregular MPI_Alltoallv instance=1 members=3,2,1
//                                    the function's calls on that communicator are done by messages
//                                    of the runtime's own
//     irregular MPI_Alltoallv grid=2x3 largest=64
//                                    on MPI_COMM_WORLD; blocks of at most so many bytes travel
//                                    through that grid, for most pairs of ranks

#include "analysis/calibration/MachineFile.h"
#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/completion/EarlyCompletion.h"
#include "analysis/file/FormatError.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>

using namespace sendwright;

namespace {

SitePlan siteWithHash(unsigned long hash, std::istream &instantiation) {
  SitePlan plan;
  std::getline(instantiation >> std::ws, plan.site.instantiation);
  plan.site.file = "program.c";
  plan.site.function = "main";
  plan.site.line = 1;
  plan.site.hash = hash;
  plan.decision = Decision::Rewrite;
  plan.transformation = "message-ordering";
  plan.reason = "a test wants it";
  return plan;
}

void addOrder(RankCountPlan &plan, const std::string &rank, const SendOrder &order) {
  const auto site = static_cast<std::uint32_t>(plan.sites.size() - 1);
  for (std::size_t index = 0; index < plan.of<PlannedOrders>().ranks.size(); ++index) {
    if (rank != "*" && rank != std::to_string(index))
      continue;
    std::vector<RankSite> &sites = plan.of<PlannedOrders>().ranks[index];
    if (sites.empty() || sites.back().site != site)
      sites.push_back({site, {}});
    sites.back().orders.push_back(order);
  }
}

SendOrder parseOrder(std::istream &words) {
  SendOrder order;
  order.instances = 1;
  for (std::string word; words >> word;)
    if (word.starts_with("window="))
      order.window = std::stoul(word.substr(7));
    else
      order.destinations.push_back(std::stoi(word));
  return order;
}

/// An exchange before its parts are assigned to ranks.
struct Sharing {
  SharedExchange common;
  std::vector<int> grid; ///< extents; empty: direct
  int givenStages = 0;   ///< above 0: number of stages of the routes in `given`
  std::map<std::pair<int, int>, std::vector<std::int32_t>> tags;
  std::map<std::pair<int, int>, std::vector<Hop>> given;
};

std::vector<int> parseRanks(const std::string &list) {
  std::vector<int> ranks;
  std::istringstream members(list);
  for (std::string member; std::getline(members, member, ',');)
    ranks.push_back(std::stoi(member));
  return ranks;
}

/// Reads a word that says which communicator it is; returns whether it is one.
bool parseCommunicatorWord(const std::string &word, Communicator &communicator) {
  if (word.starts_with("instance=")) {
    communicator.instance = std::stoul(word.substr(9));
    return true;
  }
  if (!word.starts_with("members="))
    return false;
  communicator.members = parseRanks(word.substr(8));
  return true;
}

/// "2x4x2": the extents.
std::vector<int> parseGrid(const std::string &text) {
  std::vector<int> grid;
  std::istringstream extents(text);
  for (std::string extent; std::getline(extents, extent, 'x');)
    grid.push_back(std::stoi(extent));
  return grid;
}

Sharing parseExchange(std::istream &words, int ranks, std::uint32_t site) {
  Sharing sharing;
  sharing.common.site = site;
  words >> sharing.common.method;
  if (sharing.common.method.starts_with("stages=")) {
    sharing.givenStages = std::stoi(sharing.common.method.substr(7));
  } else if (sharing.common.method != "direct") {
    sharing.grid = parseGrid(sharing.common.method);
  }
  std::vector<int> everyone(static_cast<std::size_t>(ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  sharing.common.communicator.members = std::move(everyone);
  for (std::string word; words >> word;)
    if (word.starts_with("any-source="))
      sharing.common.anySource = parseRanks(word.substr(11));
    else
      parseCommunicatorWord(word, sharing.common.communicator);
  return sharing;
}

/// Replaces one coordinate after another by the destination's.
std::vector<Hop> gridRoute(const std::vector<int> &grid, int source, int destination) {
  std::vector<Hop> route;
  int at = source, below = 1;
  for (std::size_t stage = 0; stage < grid.size(); below *= grid[stage++]) {
    const int next =
        at + ((destination / below) % grid[stage] - (at / below) % grid[stage]) * below;
    if (next != at)
      route.push_back({static_cast<std::int32_t>(stage), next});
    at = next;
  }
  return route;
}

void addExchange(RankCountPlan &plan, const Sharing &sharing) {
  ExchangePattern pattern;
  pattern.ranks = static_cast<std::int32_t>(plan.of<PlannedOrders>().ranks.size());
  std::vector<std::vector<std::int32_t>> tags;
  RouteTable table;
  for (const auto &[ends, messageTags] : sharing.tags) {
    pattern.messages.push_back({ends.first, ends.second, 1});
    tags.push_back(messageTags);
    table.routes.push_back(sharing.givenStages > 0
                               ? sharing.given.at(ends)
                               : gridRoute(sharing.grid, ends.first, ends.second));
  }
  table.stages = sharing.givenStages > 0 ? sharing.givenStages
                                         : static_cast<std::int32_t>(sharing.grid.size());
  if (table.stages == 0)
    table = directRoutes(pattern);
  SharedExchange common = sharing.common;
  common.stages = table.stages;
  common.messages = pattern.messages.size();
  const auto number = static_cast<std::uint32_t>(plan.of<SharedExchanges>().exchanges.size());
  plan.of<SharedExchanges>().exchanges.push_back(common);
  plan.sites[common.site].transformation = "message-sharing";
  plan.of<SharedExchanges>().rankExchanges.resize(plan.of<PlannedOrders>().ranks.size());
  const std::vector<RankExchange> parts = partsOfRanks(number, pattern, tags, table);
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    if (!parts[rank].messages.empty())
      plan.of<SharedExchanges>().rankExchanges[rank].push_back(parts[rank]);
}

void addSteps(RankCountPlan &plan, const std::string &text) {
  SharedExchanges &shared = plan.of<SharedExchanges>();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    RecordedSteps::Counts step;
    std::istringstream numbers(word);
    for (std::string number; std::getline(numbers, number, ':');)
      step.push_back(std::stoul(number));
    step.resize(shared.exchanges.size());
    shared.steps.add(step);
  }
}

/// Throws std::runtime_error for an unknown operation or algorithm.
void addCollective(RankCountPlan &plan, std::istream &words) {
  PlannedCollective collective;
  collective.site = static_cast<std::uint32_t>(plan.sites.size() - 1);
  plan.sites.back().transformation = "collectives";
  Machine machine = defaultMachine();
  std::string operation;
  words >> operation;
  std::vector<int> everyone(plan.of<PlannedOrders>().ranks.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  collective.communicator.members = std::move(everyone);
  for (std::string word; words >> word;)
    if (!parseCommunicatorWord(word, collective.communicator)) {
      if (word.starts_with("root="))
        collective.root = std::stoul(word.substr(5));
      else if (word.starts_with("bytes="))
        collective.bytes = std::stoull(word.substr(6));
      else if (word.starts_with("machine="))
        machine = readMachine(word.substr(8));
      else
        collective.algorithm += (collective.algorithm.empty() ? "" : " ") + word;
    }
  for (const Collective known : allCollectives())
    if (nameOf(known) == operation && libraryFunctionOf(known) == collective.algorithm) {
      collective.operation = known;
      const std::vector<int> &members = collective.communicator.members;
      collective.slots = static_cast<std::uint32_t>(slotsOf(known, members.size(), false));
      plan.of<PlannedCollectives>().rankCollectives.resize(plan.of<PlannedOrders>().ranks.size());
      for (const int member : members)
        plan.of<PlannedCollectives>().rankCollectives[static_cast<std::size_t>(member)].push_back(
            {static_cast<std::uint32_t>(plan.of<PlannedCollectives>().collectives.size()), {}});
      plan.of<PlannedCollectives>().collectives.push_back(collective);
      return;
    }
  for (const Collective known : allCollectives())
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(known)) {
      if (nameOf(known) != operation || algorithm.name != collective.algorithm)
        continue;
      collective.operation = known;
      const std::vector<int> &members = collective.communicator.members;
      const Schedule schedule = algorithm.schedule(
          {static_cast<std::uint32_t>(members.size()), collective.bytes, collective.root},
          machine.between, SlotsKept::Yes);
      std::uint32_t slots = 0; // in all messages together
      for (const std::vector<std::uint32_t> &message : schedule.slots)
        slots = std::max(slots, *std::max_element(message.begin(), message.end()) + 1);
      collective.slots = static_cast<std::uint32_t>(slotsOf(known, members.size(), slots > 1));
      const auto number =
          static_cast<std::uint32_t>(plan.of<PlannedCollectives>().collectives.size());
      const std::vector<RankCollective> parts = collectivePartsOf(number, schedule);
      plan.of<PlannedCollectives>().rankCollectives.resize(plan.of<PlannedOrders>().ranks.size());
      for (std::size_t rank = 0; rank < members.size(); ++rank)
        plan.of<PlannedCollectives>()
            .rankCollectives[static_cast<std::size_t>(members[rank])]
            .push_back(parts[rank]);
      plan.of<PlannedCollectives>().collectives.push_back(collective);
      return;
    }
  throw std::runtime_error("no algorithm '" + collective.algorithm + "' of '" + operation + "'");
}

/// Routes for most pairs of ranks, through the grid.
void addBlockRoutes(RankCountPlan &plan, const std::vector<int> &grid) {
  IrregularCollectives &own = plan.of<IrregularCollectives>();
  const auto ranks = static_cast<int>(plan.of<PlannedOrders>().ranks.size());
  ExchangePattern pattern{ranks, {}};
  RouteTable table{static_cast<std::int32_t>(grid.size()), {}};
  for (int source = 0; source < ranks; ++source)
    for (int destination = 0; destination < ranks; ++destination)
      if (source != destination && (source + 2 * destination) % 4 != 1) {
        pattern.messages.push_back({source, destination, 1});
        table.routes.push_back(gridRoute(grid, source, destination));
      }
  const std::vector<std::vector<std::int32_t>> tags(pattern.messages.size(), {0});
  const auto number = static_cast<std::uint32_t>(own.replaced.size() - 1);
  own.routes.resize(static_cast<std::size_t>(ranks));
  std::vector<RankExchange> parts = partsOfRanks(number, pattern, tags, table);
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    if (!parts[rank].messages.empty())
      own.routes[rank].push_back(std::move(parts[rank]));
}

void addEarly(RankCountPlan &plan, std::istream &words) {
  EarlyCompletions &early = plan.of<EarlyCompletions>();
  early.sites.push_back(static_cast<std::uint32_t>(plan.sites.size() - 1));
  plan.sites.back().transformation = earlyCompletionStem;
  for (std::string word; words >> word;)
    if (word.starts_with("least="))
      early.least = std::stoull(word.substr(6));
    else if (word.starts_with("most="))
      early.most = std::stoull(word.substr(5));
}

/// Throws std::runtime_error for an unknown function.
void addIrregular(RankCountPlan &plan, std::istream &words) {
  IrregularCollective calls;
  std::string name;
  words >> name;
  const MpiFunction *function = findMpiFunction(name);
  if (!function || !canReplace(function->id))
    throw std::runtime_error("'" + name + "' is no irregular collective");
  calls.function = function->id;
  std::vector<int> everyone(plan.of<PlannedOrders>().ranks.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  calls.communicator.members = std::move(everyone);
  std::vector<int> grid;
  std::uint64_t largest = 0;
  for (std::string word; words >> word;)
    if (word.starts_with("grid="))
      grid = parseGrid(word.substr(5));
    else if (word.starts_with("largest="))
      largest = std::stoull(word.substr(8));
    else
      parseCommunicatorWord(word, calls.communicator);
  plan.of<IrregularCollectives>().replaced.push_back(
      {calls, static_cast<std::uint32_t>(grid.size()), largest});
  if (!grid.empty())
    addBlockRoutes(plan, grid);
}

void addMessages(Sharing &sharing, int source, int destination, std::istream &words) {
  std::vector<std::int32_t> tags;
  for (std::int32_t tag = 0; words >> tag;)
    tags.push_back(tag);
  const std::vector<int> &members = sharing.common.communicator.members;
  for (const int from : members)
    for (const int to : members)
      if (from != to && (source < 0 || (from == source && to == destination)))
        sharing.tags[{from, to}] = tags;
}

void addRoute(Sharing &sharing, std::istream &words) {
  std::pair<int, int> ends;
  std::int32_t tag = 0;
  words >> ends.first >> ends.second >> tag;
  sharing.tags[ends].push_back(tag);
  Hop hop;
  for (char colon = 0; words >> hop.stage >> colon >> hop.target;)
    sharing.given[ends].push_back(hop);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write-plan PLAN\n");
    return 2;
  }
  Plan plan;
  RankCountPlan *current = nullptr;
  std::vector<std::pair<RankCountPlan *, Sharing>> sharings;
  std::vector<std::pair<RankCountPlan *, std::string>> steps;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string kind, rank;
    unsigned long number = 0;
    words >> kind;
    if (kind == "ranks" && words >> number) {
      current = &plan.rankCounts[static_cast<int>(number)];
      current->profile = "test.prof";
      current->of<PlannedOrders>().ranks.resize(number);
    } else if (kind == "site" && words >> number) {
      current->sites.push_back(siteWithHash(number, words));
    } else if (kind == "order" && words >> rank) {
      addOrder(*current, rank, parseOrder(words));
    } else if (kind == "staggered" && words >> number) {
      OrderingFigures figures;
      figures.key = staggeredKey;
      figures.window = static_cast<std::uint32_t>(number);
      current->sites.back().of<SiteOrdering>().figures.push_back(figures);
    } else if (kind == "exchange") {
      sharings.emplace_back(
          current, parseExchange(words, static_cast<int>(current->of<PlannedOrders>().ranks.size()),
                                 static_cast<std::uint32_t>(current->sites.size() - 1)));
    } else if (kind == "steps") {
      std::getline(words, steps.emplace_back(current, "").second);
    } else if (kind == "collective") {
      addCollective(*current, words);
    } else if (kind == "early") {
      addEarly(*current, words);
    } else if (kind == "irregular") {
      addIrregular(*current, words);
    } else if (kind == "route") {
      addRoute(sharings.back().second, words);
    } else if (kind == "message" || kind == "messages") {
      int source = -1, destination = -1;
      if (kind == "message")
        words >> source >> destination;
      addMessages(sharings.back().second, source, destination, words);
    } else {
      std::fprintf(
          stderr,
          "write-plan: '%s' is not ranks, site, order, staggered, exchange, message, collective or "
          "irregular\n",
          line.c_str());
      return 1;
    }
  }
  for (const auto &[rankCount, sharing] : sharings)
    addExchange(*rankCount, sharing);
  for (const auto &[rankCount, text] : steps)
    addSteps(*rankCount, text);
  try {
    writePlan(plan, argv[1]);
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
