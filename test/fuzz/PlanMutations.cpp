// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/PlanMutations.h"

#include "analysis/chains/ExchangeChains.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/sharing/SharedExchanges.h"
#include "test/fuzz/CompletionMutations.h"
#include "test/fuzz/ProfileMutations.h"
#include "test/fuzz/Scratch.h"

namespace sendwright::fuzz {

namespace {

template <typename PerRank> auto *pickOfRanks(std::vector<PerRank> &ranks, Draw &draw) {
  PerRank *rank = draw.pick(ranks);
  return rank ? draw.pick(*rank) : nullptr;
}

void mutateOrders(RankCountPlan &part, Draw &draw) {
  std::vector<RankSite> *rank = draw.pick(part.of<PlannedOrders>().ranks);
  if (!rank)
    return;
  if (rank->empty() || draw.oneIn(16))
    rank->emplace_back();
  if (draw.oneIn(16))
    return draw.rearrange(*rank);
  RankSite &site = *draw.pick(*rank);
  if (draw.oneIn(16))
    return draw.changeIndex(site.site, part.sites.size());
  if (site.orders.empty() || draw.oneIn(16))
    site.orders.emplace_back();
  SendOrder &order = *draw.pick(site.orders);
  switch (draw.below(5)) {
  case 0:
    return draw.change(order.window);
  case 1:
    return draw.change(order.instances);
  case 2:
    order.destinations.push_back(
        static_cast<int>(draw.below(part.of<PlannedOrders>().ranks.size())));
    return;
  case 3:
    return draw.rearrange(site.orders);
  default:
    draw.rearrange(order.destinations);
  }
}

void mutateExchange(SharedExchange &exchange, const RankCountPlan &part, Draw &draw) {
  const std::size_t ranks = part.of<PlannedOrders>().ranks.size();
  switch (draw.below(7)) {
  case 0:
    return draw.changeIndex(exchange.site, part.sites.size());
  case 1:
    return draw.change(exchange.method);
  case 2:
    return draw.change(exchange.stages);
  case 3:
    return draw.change(exchange.messages);
  case 4:
    exchange.anySource.push_back(static_cast<std::int32_t>(draw.below(ranks)));
    return;
  case 5:
    return draw.rearrange(exchange.anySource);
  default:
    mutateCommunicator(exchange.communicator, ranks, draw);
  }
}

void mutateTransfer(std::vector<Transfer> &transfers, const RankExchange &part, std::size_t ranks,
                    Draw &draw) {
  if (transfers.empty() || draw.oneIn(8))
    transfers.push_back({static_cast<std::int32_t>(draw.below(ranks)), {0}});
  if (draw.oneIn(4))
    return draw.rearrange(transfers);
  Transfer &transfer = *draw.pick(transfers);
  if (draw.oneIn(3))
    return draw.changeIndex(transfer.peer, ranks);
  if (transfer.messages.empty() || draw.oneIn(3))
    transfer.messages.push_back(static_cast<std::uint32_t>(draw.below(part.messages.size())));
  if (draw.oneIn(2))
    return draw.rearrange(transfer.messages);
  draw.changeIndex(*draw.pick(transfer.messages), part.messages.size());
}

void mutateMessage(RankExchange &part, std::size_t ranks, Draw &draw) {
  if (part.messages.empty() || draw.oneIn(4))
    return draw.rearrange(part.messages);
  SharedMessage &message = *draw.pick(part.messages);
  switch (draw.below(5)) {
  case 0:
    return draw.changeIndex(message.source, ranks);
  case 1:
    return draw.changeIndex(message.destination, ranks);
  case 2:
    message.tags = {anyTag};
    return;
  case 3:
    message.tags.push_back(static_cast<std::int32_t>(draw.below(4)));
    return;
  default:
    if (std::int32_t *tag = draw.pick(message.tags))
      draw.change(*tag);
  }
}

void mutateTurns(RankCountPlan &part, Draw &draw) {
  SharedExchanges &shared = part.of<SharedExchanges>();
  if (shared.turns.empty() || draw.oneIn(16)) {
    LoopTurns &made = shared.turns.emplace_back();
    made.site = shared.exchanges.empty() ? 0 : shared.exchanges.front().site;
    made.kinds.push_back({{}, {0}});
    made.ofRanks.resize(part.of<PlannedOrders>().ranks.size());
    return;
  }
  LoopTurns &loop = *draw.pick(shared.turns);
  if (draw.oneIn(8))
    return draw.changeIndex(loop.site, part.sites.size());
  if (draw.oneIn(8))
    return draw.rearrange(loop.ofRanks);
  if (std::uint32_t *kind = draw.pick(loop.ofRanks); kind && draw.oneIn(4))
    return draw.changeIndex(*kind, loop.kinds.size());
  ExchangeTurns *turns = draw.pick(loop.kinds);
  if (!turns || draw.oneIn(8))
    return draw.rearrange(loop.kinds);
  std::vector<std::uint32_t> &list = draw.oneIn(3) ? turns->first : turns->cycle;
  if (list.empty() || draw.oneIn(4))
    list.push_back(ExchangeTurns::nothing);
  if (draw.oneIn(2))
    return draw.rearrange(list);
  draw.changeIndex(*draw.pick(list), shared.exchanges.size());
}

void mutateExchanges(RankCountPlan &part, Draw &draw) {
  if (draw.oneIn(8)) {
    if (SharedExchange *exchange = draw.pick(part.of<SharedExchanges>().exchanges))
      mutateExchange(*exchange, part, draw);
    return;
  }
  if (draw.oneIn(32))
    return draw.rearrange(part.of<SharedExchanges>().rankExchanges);
  RankExchange *own = pickOfRanks(part.of<SharedExchanges>().rankExchanges, draw);
  if (!own)
    return;
  if (draw.oneIn(16))
    return draw.changeIndex(own->exchange, part.of<SharedExchanges>().exchanges.size());
  if (draw.oneIn(16))
    return draw.rearrange(own->stages);
  if (draw.oneIn(3))
    return mutateMessage(*own, part.of<PlannedOrders>().ranks.size(), draw);
  if (RankStage *stage = draw.pick(own->stages))
    mutateTransfer(draw.oneIn(2) ? stage->sends : stage->receives, *own,
                   part.of<PlannedOrders>().ranks.size(), draw);
}

void mutateIrregularDecision(IrregularDecision &decision, std::size_t ranks, Draw &draw) {
  switch (draw.below(6)) {
  case 0:
    return draw.change(decision.replaced);
  case 1:
    return draw.change(decision.reason);
  case 2:
    return draw.change(decision.count);
  case 3:
    return draw.change(draw.oneIn(2) ? decision.written : decision.planned);
  case 4:
    return draw.rearrange(decision.sites);
  default:
    mutateCommunicator(decision.calls.communicator, ranks, draw);
  }
}

void mutateReplacedIrregular(ReplacedIrregular &replaced, std::size_t ranks, Draw &draw) {
  switch (draw.below(4)) {
  case 0:
    return draw.change(replaced.stages);
  case 1:
    return draw.change(replaced.largest);
  case 2:
    replaced.calls.function =
        draw.oneIn(2) ? MpiFunctionId::Alltoallw : static_cast<MpiFunctionId>(draw.below(64));
    return;
  default:
    mutateCommunicator(replaced.calls.communicator, ranks, draw);
  }
}

void mutateIrregular(RankCountPlan &part, Draw &draw) {
  IrregularCollectives &own = part.of<IrregularCollectives>();
  const std::size_t ranks = part.of<PlannedOrders>().ranks.size();
  if (own.replaced.empty()) {
    Communicator all;
    std::vector<int> members;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      members.push_back(static_cast<int>(rank));
    all.members = members;
    own.replaced.push_back({{MpiFunctionId::Alltoallv, all}, draw.oneIn(2) ? 2U : 0U, 64});
    return;
  }
  if (draw.oneIn(4))
    return draw.oneIn(2) ? draw.rearrange(own.replaced) : draw.rearrange(own.decisions);
  if (IrregularDecision *decision = draw.pick(own.decisions); decision && draw.oneIn(3))
    return mutateIrregularDecision(*decision, ranks, draw);
  if (draw.oneIn(3))
    return mutateReplacedIrregular(*draw.pick(own.replaced), ranks, draw);
  RankExchange *routes = pickOfRanks(own.routes, draw);
  if (!routes)
    return mutateReplacedIrregular(*draw.pick(own.replaced), ranks, draw);
  if (draw.oneIn(8))
    return draw.changeIndex(routes->exchange, own.replaced.size());
  if (draw.oneIn(3))
    return mutateMessage(*routes, ranks, draw);
  if (RankStage *stage = draw.pick(routes->stages))
    mutateTransfer(draw.oneIn(2) ? stage->sends : stage->receives, *routes, ranks, draw);
}

void mutateCollective(PlannedCollective &collective, const RankCountPlan &part, Draw &draw) {
  switch (draw.below(7)) {
  case 0:
    return draw.changeIndex(collective.site, part.sites.size());
  case 1:
    collective.operation = static_cast<Collective>(draw.below(10));
    return;
  case 2:
    return draw.changeIndex(collective.root, part.of<PlannedOrders>().ranks.size());
  case 3:
    return draw.change(collective.algorithm);
  case 4:
    return draw.change(collective.bytes);
  case 5:
    return draw.change(collective.slots);
  default:
    mutateCommunicator(collective.communicator, part.of<PlannedOrders>().ranks.size(), draw);
  }
}

void mutateStep(CollectiveStep &step, std::size_t ranks, Draw &draw) {
  switch (draw.below(6)) {
  case 0:
    return draw.change(step.isSend);
  case 1:
    return draw.changeIndex(step.peer, ranks);
  case 2:
    return draw.change(step.bytes);
  case 3:
    step.arrival = static_cast<Arrival>(draw.below(4));
    return;
  case 4:
    step.slots.push_back({static_cast<std::uint32_t>(draw.below(ranks)), 1});
    return draw.rearrange(step.slots);
  default:
    if (SlotRange *range = draw.pick(step.slots))
      draw.change(draw.oneIn(2) ? range->first : range->count);
  }
}

void mutateCollectives(RankCountPlan &part, Draw &draw) {
  if (draw.oneIn(6)) {
    if (PlannedCollective *collective = draw.pick(part.of<PlannedCollectives>().collectives))
      mutateCollective(*collective, part, draw);
    return;
  }
  if (draw.oneIn(32))
    return draw.rearrange(part.of<PlannedCollectives>().rankCollectives);
  RankCollective *own = pickOfRanks(part.of<PlannedCollectives>().rankCollectives, draw);
  if (!own)
    return;
  if (draw.oneIn(32))
    return draw.changeIndex(own->collective, part.of<PlannedCollectives>().collectives.size());
  if (own->steps.empty() || draw.oneIn(3))
    return draw.rearrange(own->steps);
  mutateStep(*draw.pick(own->steps), part.of<PlannedOrders>().ranks.size(), draw);
}

void mutateSynchronizationStep(Step &step, const RankSteps &own, std::size_t ranks, Draw &draw) {
  switch (draw.below(8)) {
  case 0:
    step.kind = static_cast<StepKind>(draw.below(6));
    return;
  case 1:
    step.function = static_cast<MpiFunctionId>(draw.below(mpiFunctionCount()));
    return;
  case 2:
    return draw.changeIndex(step.peer, ranks);
  case 3:
    return draw.change(step.tag);
  case 4:
    return draw.changeIndex(step.communicator, own.communicators.size());
  case 5:
    return draw.changeIndex(step.group, own.groups.size());
  case 6:
    return draw.change(step.completed);
  default:
    draw.changeIndex(step.source, ranks);
  }
}

void mutateSteps(RankSteps &own, std::size_t ranks, Draw &draw) {
  switch (draw.below(6)) {
  case 0:
    if (Communicator *communicator = draw.pick(own.communicators))
      mutateCommunicator(*communicator, ranks, draw);
    return;
  case 1:
    if (std::vector<int> *group = draw.pick(own.groups))
      draw.rearrange(*group);
    return;
  case 2:
    if (std::vector<int> *listeners = draw.pick(own.listeners))
      draw.rearrange(*listeners);
    return;
  case 3:
  case 4:
    mutateGrammar(own.sequence, own.steps.size(), draw);
    return limitGrammar(own.sequence, 10'000);
  default:
    if (Step *step = draw.pick(own.steps))
      mutateSynchronizationStep(*step, own, ranks, draw);
  }
}

void mutateSynchronization(RankCountPlan &part, Draw &draw) {
  SynchronizationPlan &plan = part.of<SynchronizationPlan>();
  if (draw.oneIn(16))
    plan.kind = static_cast<SynchronizationKind>(draw.below(4));
  else if (draw.oneIn(16))
    draw.rearrange(plan.buffers);
  else if (draw.oneIn(16))
    draw.change(draw.oneIn(2) ? plan.actsUnmarked : plan.actsAtEnd);
  else if (draw.oneIn(16) && !plan.calls.empty())
    draw.change(draw.pick(plan.calls)->actions.acts);
  else if (RankSteps *own = draw.pick(plan.ranks))
    mutateSteps(*own, part.of<PlannedOrders>().ranks.size(), draw);
}

void mutateFigures(SitePlan &site, Draw &draw) {
  switch (draw.below(8)) {
  case 0:
    site.of<SiteOrdering>().figures.emplace_back().phase = "a phase";
    return;
  case 1:
    return draw.change(site.transformation);
  case 2:
    return draw.change(site.reason);
  case 3:
    return draw.change(draw.oneIn(2) ? site.gain : site.gainPercent);
  case 4:
    if (site.of<SiteSharing>().prediction)
      return draw.change(site.of<SiteSharing>().prediction->seconds);
    return mutateRefusal(site.of<SiteSharing>().refusal, draw);
  case 5:
    return mutateCompletion(site.of<SiteCompletion>(), draw);
  case 6:
    return mutateRefusal(site.of<SiteChain>().refusal, draw);
  default:
    if (site.of<SiteCollective>().prediction)
      return draw.change(site.of<SiteCollective>().prediction->algorithm);
    mutateRefusal(site.of<SiteCollective>().refusal, draw);
  }
}

void mutateSites(RankCountPlan &part, Draw &draw) {
  SitePlan *site = draw.pick(part.sites);
  if (!site)
    return;
  if (draw.oneIn(8))
    return draw.rearrange(part.sites);
  if (draw.oneIn(3))
    return mutateSite(site->site, draw);
  if (draw.oneIn(3))
    site->decision = site->decision == Decision::Leave ? Decision::Rewrite : Decision::Leave;
  else
    mutateFigures(*site, draw);
}

void mutateRedistributions(RankCountPlan &part, Draw &draw) {
  mutateRedistribution(*draw.pick(part.of<PlannedRedistributions>().frequent), draw);
}

void mutateWhole(Plan &plan, Draw &draw) {
  switch (draw.below(4)) {
  case 0: {
    const auto last = plan.rankCounts.rbegin();
    RankCountPlan copy = last->second;
    const int ranks = last->first + (draw.oneIn(2) ? 1 : -1);
    if (ranks > 0)
      plan.rankCounts[ranks] = std::move(copy);
    return;
  }
  case 1:
    plan.functions["function"].reason = "a reason";
    for (auto &[name, facts] : plan.functions)
      draw.change(draw.oneIn(2) ? facts.mayWait : facts.reachesMpi);
    return;
  case 2: {
    LinkParameters &link = plan.machine.between;
    double *const parameters[] = {&link.L, &link.o_send, &link.o_recv, &link.g, &link.G, &link.O};
    return draw.change(*parameters[draw.below(std::size(parameters))]);
  }
  default:
    draw.change(plan.machine.ranks_per_node);
  }
}

/// Lists of which the writer takes an element for each rank.
void fitRanks(Plan &plan) {
  for (auto &[ranks, part] : plan.rankCounts) {
    const auto count = static_cast<std::size_t>(ranks);
    part.of<PlannedOrders>().ranks.resize(count);
    if (!part.of<SharedExchanges>().exchanges.empty())
      part.of<SharedExchanges>().rankExchanges.resize(count);
    part.of<IrregularCollectives>().routes.resize(count);
    if (!part.of<PlannedCollectives>().collectives.empty())
      part.of<PlannedCollectives>().rankCollectives.resize(count);
    if (part.of<SynchronizationPlan>().kind == SynchronizationKind::None)
      part.of<SynchronizationPlan>().ranks.clear();
    else
      part.of<SynchronizationPlan>().ranks.resize(count);
  }
}

} // namespace

void mutatePlan(Plan &plan, Draw &draw) {
  if (plan.rankCounts.empty())
    return;
  auto part = plan.rankCounts.begin();
  std::advance(part, static_cast<std::ptrdiff_t>(draw.below(plan.rankCounts.size())));
  RankCountPlan &changed = part->second;
  // What the ranks do is changed more often than what people read about it.
  std::vector<void (*)(RankCountPlan &, Draw &)> parts{mutateSites, mutateOrders};
  if (!changed.of<SharedExchanges>().exchanges.empty())
    parts.insert(parts.end(), 8, mutateExchanges);
  if (!changed.of<SharedExchanges>().exchanges.empty())
    parts.insert(parts.end(), 3, mutateTurns);
  if (!changed.of<IrregularCollectives>().replaced.empty() || draw.oneIn(8))
    parts.insert(parts.end(), 8, mutateIrregular);
  if (!changed.of<PlannedCollectives>().collectives.empty())
    parts.insert(parts.end(), 8, mutateCollectives);
  if (changed.of<SynchronizationPlan>().kind != SynchronizationKind::None)
    parts.insert(parts.end(), 8, mutateSynchronization);
  if (!changed.of<PlannedRedistributions>().frequent.empty())
    parts.push_back(mutateRedistributions);
  if (parts.size() == 2)
    parts.insert(parts.end(), 6, mutateOrders);
  if (!changed.of<EarlyCompletions>().sites.empty() || draw.oneIn(8))
    parts.insert(parts.end(), 4, mutateEarly);
  if (!changed.of<LongWaits>().waits.empty() || draw.oneIn(16))
    parts.push_back(mutateWaits);
  if (draw.oneIn(16))
    mutateWhole(plan, draw);
  else
    parts[draw.below(parts.size())](changed, draw);
  fitRanks(plan);
}

std::string bytesOf(const Plan &plan) {
  const std::string name = scratchFile("encoded.plan");
  try {
    writePlan(plan, name);
  } catch (const FormatError &) {
    return "";
  }
  return readScratch(name);
}

} // namespace sendwright::fuzz
