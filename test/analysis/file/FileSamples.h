// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile and a plan that contain something of everything that their files can hold.

#ifndef SENDWRIGHT_TEST_ANALYSIS_FILE_FILESAMPLES_H
#define SENDWRIGHT_TEST_ANALYSIS_FILE_FILESAMPLES_H

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/planner/Planner.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "test/analysis/collectives/PlannedCollectivesSample.h"
#include "test/analysis/sharing/SharedExchangesSample.h"

#include <numeric>

namespace sendwright {

inline Event message(MpiFunctionId function, int peer, std::uint64_t bytes,
                     std::vector<int> requests) {
  Event event;
  event.function = function;
  event.peer = peer;
  event.bytes = bytes;
  event.requests = std::move(requests);
  return event;
}

inline RankProfile sampleRank(int index, int ranks) {
  RankProfile rank;
  std::vector<int> everyone(static_cast<std::size_t>(ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  const Communicator world{everyone, 0, false};
  rank.communicators = {world, {{(index + 1) % ranks, index}, 2, false}, {{index}, 0, true}};
  rank.callers = {"app+0x12", "app.c:3"};
  Event enter, probe, all;
  enter.kind = EventKind::SiteEnter;
  enter.site = 1;
  probe = message(MpiFunctionId::Irecv, anySource, 99, {1});
  probe.tag = anyTag;
  probe.communicator = 1;
  all = message(MpiFunctionId::Waitall, noPeer, 0, {0, 1});
  all.matches = {{1, 0, 7, 55}};
  all.address = 2;
  Event exchange = message(MpiFunctionId::Sendrecv, nullRank, 4, {});
  exchange.receivePeer = 0;
  exchange.receiveTag = 3;
  exchange.receiveBytes = 1u << 31;
  exchange.time = 0.25;
  Event compute;
  compute.kind = EventKind::Compute;
  compute.seconds = 1e-3 * index;
  Event redistribution;
  redistribution.kind = EventKind::Redistribution;
  redistribution.moved = {{(index + 1) % ranks, false, 1u << 20, 1u << 19}, {0, true, 1, 2}};
  rank.events = {
      enter,         message(MpiFunctionId::Isend, (index + 1) % ranks, 1u << index, {0}),
      probe,         all,
      exchange,      compute,
      redistribution};
  rank.events[1].site = index == 1 ? 0 : 1;
  rank.events[0].call = index % 2;
  GrammarBuilder builder;
  for (int i = 0; i < 500; ++i)
    for (std::uint32_t event = 0; event < 7; ++event)
      if (event != 5 || i % 7 == 0)
        builder.append(event);
  rank.sequence = builder.grammar();
  for (std::size_t event = 0; event < rank.events.size(); ++event)
    rank.statistics.push_back({500, 0.5 * index, 1e-9, 1e-2, 3.25});
  rank.host = "node" + std::to_string(index);
  rank.seconds = 12.5 + index;
  rank.truncated = index == 2;
  if (rank.truncated)
    rank.leftOut = {{1, 0, 900, 300, 4800}, {noSite, 2, 7, 0, 0}};
  if (index < 2)
    rank.redistributions = {{{"src/app.c", "balance", 60, 1, 0x77u, ""}, {1, 0, 5}, {2, 4, 0}, 9},
                            {{"src/app.c", "balance", 61, 0, 0x78u, ""}, {7}, {7}, 1}};
  if (index > 2) {
    RecordedLoad load{{"src/app.c", "balance", 60, 1, 0x77u, ""}, "A", 9, 80, 2, 3, 2, {}};
    load.periods = {{{{index, index + 2, 0.5}, {index + 2, 9, 1e-3}}, 160}, {{}, 0}};
    rank.loads = {load};
  }
  return rank;
}

inline Profile sampleProfile() {
  Profile profile;
  profile.program = "app";
  profile.sites = {{"src/app.c", "exchange", 42, 0, 0x123456789abcdef0u, "T = int"},
                   {"src/app.c", "exchange", 50, 1, 0x123456789abcdef0u, ""},
                   {"never.h", "unused<T>", 1, 0, 5, ""}};
  profile.callSites = {{"src/app.c", "exchange", 43, 0, 0x1234u, ""},
                       {"src/app.c", "exchange", 44, 1, 0x1234u, ""}};
  profile.units = {{"src/app.c", R"({"collectives": [], "functions": {}})"}, {"src/b.c", ""}};
  for (int index = 0; index < 5; ++index)
    profile.ranks.push_back(sampleRank(index, 5));
  return profile;
}

inline Plan samplePlan() {
  Plan plan;
  plan.machine = defaultMachine();
  plan.machine.within = plan.machine.between;
  plan.machine.incast = {{4, 1e5, 2.5}};
  plan.machineMeasured = true;
  plan.functionFiles = {"pack.c"};
  plan.functions["pack"] = {true, false, true, "reads a clock in a loop", {"helper", "MPI_Wtime"}};
  for (int ranks : {1, 3, 8}) {
    RankCountPlan &part = plan.rankCounts[ranks];
    part.profile = "run-" + std::to_string(ranks) + ".prof";
    part.sites.resize(2);
    part.sites[0].site = {"app.c", "exchange", 42, 0, 77, "Value = int"};
    part.sites[0].decision = Decision::Rewrite;
    part.sites[0].transformation = "message-ordering";
    part.sites[0].reason = "receivers with more work come first";
    part.sites[0].gain = 0.25;
    part.sites[0].of<SiteOrdering>().figures = {
        {"pre", 3, 2, 4, 2, 1e-5, "work", "short messages", 4, 2, 3, 9, 72, 0}};
    part.sites[1].site = {"app.c", "exchange", 51, 0, 78, ""};
    part.sites[1].reason = "one destination";
    part.of<PlannedOrders>().ranks.resize(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      SendOrder order{{}, 2, 10};
      for (int i = 1; i < ranks; ++i)
        order.destinations.push_back((rank + 3 * i) % ranks);
      part.of<PlannedOrders>().ranks[static_cast<std::size_t>(rank)] = {
          {0, {order, {{rank, rank}, 0, 1}}}};
    }
  }
  plan.rankCounts.at(8).of<PlannedRedistributions>().frequent = {
      {{"app.c", "balance", 60, 1, 0x77u, ""}, {1, 0, 5}, {2, 4, 0}, 18}};
  addSharedExchanges(plan.rankCounts.at(3));
  plan.rankCounts.at(3).sites.resize(4);
  for (const unsigned site : {2u, 3u})
    plan.rankCounts.at(3).sites[site].site = {"app.c", "sum", 60 + site, 0, 90 + site, ""};
  addPlannedCollectives(plan.rankCounts.at(3), 2);
  SynchronizationPlan &synchronization = plan.rankCounts.at(3).of<SynchronizationPlan>();
  synchronization.kind = SynchronizationKind::Full;
  synchronization.buffers = {0, 1, 2};
  synchronization.calls = {{{"app.c", "exchange", 43, 1, 78, ""}, {12, 3}},
                           {{"app.h", "pass", 5, 0, 79, ""}, {1, 1}}};
  synchronization.actsUnmarked = 4;
  synchronization.actsAtEnd = 2;
  synchronization.ranks.resize(3);
  for (RankSteps &rank : synchronization.ranks)
    rank.sequence = GrammarBuilder().grammar();
  return plan;
}

} // namespace sendwright

#endif
