// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "test/benchmark/plan-changes/PlanChanges.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace sendwright {

namespace {

constexpr int ranks = 4;

RankCountPlan emptyPlan() {
  RankCountPlan plan;
  plan.profile = "test.prof";
  plan.of<PlannedOrders>().ranks.resize(ranks);
  return plan;
}

std::uint32_t addSite(RankCountPlan &plan, const char *transformation) {
  SitePlan &site = plan.sites.emplace_back();
  site.site = {"program.c", "main", 1, 0, plan.sites.size(), ""};
  site.decision = Decision::Rewrite;
  site.transformation = transformation;
  site.reason = "a test wants it";
  return static_cast<std::uint32_t>(plan.sites.size() - 1);
}

Communicator world() {
  std::vector<int> members(ranks);
  std::iota(members.begin(), members.end(), 0);
  Communicator all;
  all.members = members;
  return all;
}

struct Loop {
  Collective operation;
  const char *algorithm;
  std::uint64_t bytes;
};

const std::vector<Loop> loops = {
    {Collective::Broadcast, "binomial tree", 40},
    {Collective::Broadcast, "scatter + ring allgather", 120000},
    {Collective::Broadcast, "MPI_Bcast", 40},
    {Collective::Scatter, "binomial tree", 40},
    {Collective::Gather, "binomial tree", 120000},
    {Collective::Gather, "linear", 40},
    {Collective::Allgather, "ring", 40},
    {Collective::Allgather, "recursive doubling", 120000},
    {Collective::AllToAll, "Bruck", 40},
    {Collective::AllToAll, "pairwise", 120000},
    {Collective::Reduce, "binomial tree", 40},
    {Collective::Reduce, "ring reduce-scatter + gather", 120000},
    {Collective::Reduce, "MPI_Reduce", 40},
};

} // namespace

RankCountPlan planOfCollectives() {
  RankCountPlan plan = emptyPlan();
  for (const Loop &loop : loops) {
    const std::uint32_t site = addSite(plan, "collectives");
    const bool rooted =
        loop.operation != Collective::Allgather && loop.operation != Collective::AllToAll;
    PlannedCollective collective{site,           loop.operation, world(), rooted ? site % ranks : 0,
                                 loop.algorithm, loop.bytes,     0};
    std::vector<RankCollective> parts(ranks);
    bool pieces = false;
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(loop.operation))
      if (algorithm.name == loop.algorithm) {
        const Schedule schedule = algorithm.schedule({ranks, loop.bytes, collective.root},
                                                     defaultMachine().between, SlotsKept::Yes);
        for (const std::vector<std::uint32_t> &slots : schedule.slots)
          pieces |= *std::max_element(slots.begin(), slots.end()) > 0;
        parts = collectivePartsOf(0, schedule);
      }
    collective.slots = static_cast<std::uint32_t>(slotsOf(loop.operation, ranks, pieces));
    plan.sites[site].of<SiteCollective>().prediction = {
        loop.operation, loop.algorithm, ranks, loop.bytes, 3, 2e-5, 1e-5};
    addCollective(plan.of<PlannedCollectives>(), ranks, site, collective, parts);
  }
  return plan;
}

RankCountPlan planOfExchanges() {
  RankCountPlan plan = emptyPlan();
  plan.of<SharedExchanges>().rankExchanges.resize(ranks);
  for (const bool grid : {true, false}) { // through a grid of two times two, and along a ring
    const std::uint32_t site = addSite(plan, "message-sharing");
    ExchangePattern pattern{ranks, {}};
    std::vector<std::vector<std::int32_t>> tags;
    RouteTable table{grid ? 2 : 3, {}};
    for (std::int32_t from = 0; from < ranks; ++from)
      for (std::int32_t to = 0; to < ranks; ++to) {
        if (from == to)
          continue;
        pattern.messages.push_back({from, to, 8});
        tags.push_back({static_cast<std::int32_t>(site), 7});
        std::vector<Hop> &route = table.routes.emplace_back();
        const std::int32_t corner = from / 2 * 2 + to % 2;
        if (grid && corner != from)
          route.push_back({0, corner});
        if (grid && corner != to)
          route.push_back({1, to});
        for (std::int32_t at = from, stage = 0; !grid && at != to; ++stage) {
          at = (at + 1) % ranks;
          route.push_back({stage, at});
        }
      }
    const auto number = static_cast<std::uint32_t>(plan.of<SharedExchanges>().exchanges.size());
    plan.of<SharedExchanges>().exchanges.push_back({site,
                                                    world(),
                                                    grid ? "a grid" : "a ring",
                                                    static_cast<std::uint32_t>(table.stages),
                                                    pattern.messages.size(),
                                                    {1, 2}});
    const std::vector<RankExchange> parts = partsOfRanks(number, pattern, tags, table);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      plan.of<SharedExchanges>().rankExchanges[rank].push_back(parts[rank]);
    if (grid) // each execution is an instance; there might be others
      plan.of<SharedExchanges>().turns.push_back(
          {site, {{{}, {number, ExchangeTurns::nothing}}}, std::vector<std::uint32_t>(ranks, 0)});
  }
  for (std::uint64_t call = 0; call < 40; ++call)
    plan.of<SharedExchanges>().steps.add({call % 3, call % 5 / 4});
  return plan;
}

RankCountPlan planOfOrders() {
  RankCountPlan plan = emptyPlan();
  for (int loop = 0; loop < 2; ++loop) {
    const std::uint32_t site = addSite(plan, "message-ordering");
    for (int rank = 0; rank < ranks; ++rank)
      plan.of<PlannedOrders>().ranks[static_cast<std::size_t>(rank)].push_back(
          {site,
           {{{(rank + 3) % ranks, (rank + 1) % ranks, (rank + 2) % ranks, (rank + 1) % ranks},
             static_cast<std::uint32_t>(2 * loop),
             1},
            {{(rank + 2) % ranks, (rank + 1) % ranks}, 0, 1}}});
  }
  return plan;
}

RankCountPlan planOfSynchronization(SynchronizationKind kind) {
  RankCountPlan plan = emptyPlan();
  plan.of<SynchronizationPlan>().kind = kind;
  plan.of<SynchronizationPlan>().buffers.assign(ranks, 2);
  for (int rank = 0; rank < ranks; ++rank) {
    RankSteps &steps = plan.of<SynchronizationPlan>().ranks.emplace_back();
    steps.communicators = {world()};
    Step call, first, second;
    call.peer = (rank + 1) % ranks;
    if (kind == SynchronizationKind::Component) {
      steps.listeners = {{(rank + 1) % ranks}, {(rank + ranks - 1) % ranks}};
      first.kind = StepKind::Announce;
      second.kind = StepKind::Await;
      second.peer = (rank + ranks - 1) % ranks;
    } else {
      steps.groups = {{}, {}};
      if (kind == SynchronizationKind::Partial)
        steps.groups[1] = rank < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3};
      first.kind = second.kind = StepKind::Synchronize;
      second.group = 1;
    }
    steps.steps = {call, first, second};
    GrammarBuilder sequence;
    for (int round = 0; round < 20; ++round)
      for (const std::uint32_t step : {0u, 1u, 0u, 2u})
        sequence.append(step);
    steps.sequence = sequence.grammar();
  }
  return plan;
}

} // namespace sendwright
