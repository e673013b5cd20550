// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs small plans as the runtime would, including the contents of messages: a receiver interprets
// a message as its own part of the plan says, whatever the sender meant.

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/IssueOrder.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/sharing/SharedExchanges.h"
#include "analysis/trace/GrammarCursor.h"
#include "test/benchmark/plan-changes/PlanChanges.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace sendwright {

namespace {

using Harm = std::optional<std::string>;

/// For blocks and pieces, the number that the slot should have. For reductions, the ranks that
/// contributed, as often as they did. Empty: nothing.
using Content = std::vector<std::uint32_t>;

class CollectiveFollowed {
public:
  CollectiveFollowed(const RankCountPlan &plan, std::uint32_t number)
      : collective(plan.of<PlannedCollectives>().collectives[number]),
        ranks(static_cast<std::uint32_t>(collective.communicator.members.size())) {
    for (const int member : collective.communicator.members)
      for (const RankCollective &part :
           plan.of<PlannedCollectives>().rankCollectives[static_cast<std::size_t>(member)])
        if (part.collective == number)
          parts.push_back(part.steps);
  }

  Harm harm() {
    if (parts.size() != ranks)
      return "a part is missing";
    std::vector<std::size_t> next(ranks, 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t rank = 0; rank < ranks; ++rank)
        while (next[rank] < parts[rank].size() && perform(rank, parts[rank][next[rank]])) {
          ++next[rank];
          moved = true;
        }
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (next[rank] < parts[rank].size())
        return "a rank waits for good";
    for (const auto &[channel, messages] : underWay)
      if (!messages.empty())
        return "a message is not received";
    return wrong ? Harm("a message is read as another one") : harmOfOutcome();
  }

private:
  static bool isSmallMessage(const CollectiveStep &step) { return step.bytes <= 16000; }
  std::uint32_t relative(std::uint32_t slot) const { return (slot + collective.root) % ranks; }

  bool ownsSlot(std::uint32_t rank, std::uint32_t slot) const {
    switch (collective.operation) {
    case Collective::Broadcast:
    case Collective::Scatter:
      return rank == collective.root;
    case Collective::AllToAll:
      return slot / ranks == rank;
    default:
      return relative(slot) == rank;
    }
  }

  Content contentOf(std::uint32_t rank, std::uint32_t slot) {
    const auto known = memory.find({rank, slot});
    if (known != memory.end())
      return known->second;
    if (collective.operation == Collective::Reduce)
      return {rank};
    return ownsSlot(rank, slot) ? Content{slot} : Content{};
  }

  template <typename Visit> static void forEachSlot(const CollectiveStep &step, Visit visit) {
    for (const SlotRange &range : step.slots)
      for (std::uint32_t index = 0; index < range.count; ++index)
        visit(range.first + index);
  }

  bool perform(std::uint32_t rank, const CollectiveStep &step) {
    if (step.isSend) {
      std::vector<Content> message;
      forEachSlot(step, [&](std::uint32_t slot) { message.push_back(contentOf(rank, slot)); });
      underWay[{rank, step.peer, isSmallMessage(step)}].push_back({message, step.bytes});
      return true;
    }
    auto &channel = underWay[{step.peer, rank, isSmallMessage(step)}];
    if (channel.empty())
      return false;
    const auto [message, bytes] = channel.front();
    channel.pop_front();
    wrong |= bytes != step.bytes;
    std::size_t index = 0;
    forEachSlot(step, [&](std::uint32_t slot) {
      if (index < message.size())
        take(rank, slot, message[index], step.arrival);
      ++index;
    });
    wrong |= index != message.size();
    return true;
  }

  void take(std::uint32_t rank, std::uint32_t slot, const Content &came, Arrival arrival) {
    Content own = contentOf(rank, slot);
    if (collective.operation != Collective::Reduce && !own.empty())
      return; // the first harm found stays
    if (collective.operation != Collective::Reduce || arrival == Arrival::Store)
      own.clear();
    own.insert(own.end(), came.begin(), came.end());
    std::sort(own.begin(), own.end());
    memory[{rank, slot}] = own;
  }

  bool promises(std::uint32_t rank, std::uint32_t slot) const {
    switch (collective.operation) {
    case Collective::Scatter:
      return rank != collective.root && relative(slot) == rank;
    case Collective::AllToAll:
      return slot % ranks == rank;
    case Collective::Gather:
    case Collective::Reduce:
      return rank == collective.root;
    default:
      return true;
    }
  }

  Harm harmOfOutcome() {
    Content all;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      all.push_back(rank);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      for (std::uint32_t slot = 0; slot < collective.slots; ++slot)
        if (promises(rank, slot) &&
            contentOf(rank, slot) !=
                (collective.operation == Collective::Reduce ? all : Content{slot}))
          return "the result is wrong";
    return {};
  }

  const PlannedCollective &collective;
  const std::uint32_t ranks;
  std::vector<std::vector<CollectiveStep>> parts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Content> memory; ///< keyed by rank and slot
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>,
           std::deque<std::pair<std::vector<Content>, std::uint64_t>>>
      underWay;
  bool wrong = false;
};

/// One instance of an exchange in which every rank sends all its data.
class ExchangeFollowed {
public:
  ExchangeFollowed(const RankCountPlan &plan, std::uint32_t number) : plan(plan), number(number) {}

  Harm harm() {
    for (int rank = 0; rank < static_cast<int>(plan.of<SharedExchanges>().rankExchanges.size());
         ++rank)
      for (const RankExchange &part :
           plan.of<SharedExchanges>().rankExchanges[static_cast<std::size_t>(rank)])
        if (part.exchange == number)
          connect(rank, part);
    for (std::size_t stage = 0; stage < plan.of<SharedExchanges>().exchanges[number].stages;
         ++stage)
      for (const auto &[key, ids] : sent)
        if (std::get<0>(key) == stage && !pass(key, ids))
          return "a combined message that nobody receives, or that is read otherwise";
    for (const auto &[key, ids] : received)
      if (!sent.count(key))
        return "a combined message that nobody sends";
    for (const Ends &message : begun)
      if (delivered.count(message) != 1)
        return "a message is lost, or comes twice";
    return delivered.size() == begun.size() ? Harm() : Harm("a message comes from nowhere");
  }

private:
  using Ends = std::pair<int, int>;
  using Key = std::tuple<std::size_t, int, int>; // stage, sender, receiver

  void connect(int rank, const RankExchange &part) {
    for (std::uint32_t index = 0; index < part.messages.size(); ++index)
      if (part.messages[index].source == rank) {
        begun.insert({part.messages[index].source, part.messages[index].destination});
        holds.insert({rank, {part.messages[index].source, part.messages[index].destination}});
      }
    const auto list = [&](const Transfer &transfer) {
      std::vector<Ends> ids;
      for (const std::uint32_t index : transfer.messages)
        ids.push_back({part.messages[index].source, part.messages[index].destination});
      return ids;
    };
    for (std::size_t stage = 0; stage < part.stages.size(); ++stage) {
      for (const Transfer &transfer : part.stages[stage].sends)
        sent[{stage, rank, transfer.peer}] = list(transfer);
      for (const Transfer &transfer : part.stages[stage].receives)
        received[{stage, transfer.peer, rank}] = list(transfer);
    }
  }

  bool pass(const Key &key, const std::vector<Ends> &ids) {
    const auto there = received.find(key);
    if (there == received.end() || there->second != ids)
      return false;
    for (const Ends &message : ids) {
      if (!holds.erase({std::get<1>(key), message}))
        return false;
      if (message.second == std::get<2>(key))
        delivered.insert(message);
      else
        holds.insert({std::get<2>(key), message});
    }
    return true;
  }

  const RankCountPlan &plan;
  const std::uint32_t number;
  std::map<Key, std::vector<Ends>> sent, received;
  std::set<std::pair<int, Ends>> holds;
  std::set<Ends> begun;
  std::multiset<Ends> delivered;
};

/// Every captured message must leave once, and messages to one rank in order.
Harm harmOfOrders(const RankCountPlan &plan) {
  const std::vector<std::vector<int>> captured = {
      {0, 1, 2, 3}, {1, 2, 3, 1}, {3, 3, 3}, {2, -1, 2, 0, 1, 1}, {}};
  for (const std::vector<RankSite> &rank : plan.of<PlannedOrders>().ranks)
    for (const RankSite &site : rank) {
      IssueOrders orders(site.orders);
      for (const std::vector<int> &destinations : captured) {
        const IssueOrder order = orders.select(destinations);
        std::map<int, std::uint32_t> last;
        std::set<std::uint32_t> seen;
        for (const std::uint32_t index : *order.indices) {
          if (index >= destinations.size() || !seen.insert(index).second)
            return "a message leaves twice";
          const auto [before, isFirst] = last.try_emplace(destinations[index], index);
          if (!isFirst && before->second > index)
            return "a message overtakes another one";
          before->second = index;
        }
        if (seen.size() != destinations.size())
          return "a message does not leave";
      }
    }
  return {};
}

/// Treats groups as barriers, and announcements as counters.
Harm harmOfSteps(const SynchronizationPlan &plan) {
  std::vector<GrammarCursor> cursors;
  for (const RankSteps &rank : plan.ranks)
    cursors.emplace_back(rank.sequence);
  std::map<std::pair<std::size_t, std::size_t>, long> told;
  const auto stepAt = [&](std::size_t rank) -> const Step * {
    return cursors[rank].atEnd() ? nullptr : &plan.ranks[rank].steps[cursors[rank].number()];
  };
  const auto groupAt = [&](std::size_t rank) -> const std::vector<int> * {
    const Step *step = stepAt(rank);
    return step && step->kind == StepKind::Synchronize ? &plan.ranks[rank].groups[step->group]
                                                       : nullptr;
  };
  const auto perform = [&](std::size_t rank) {
    const Step &step = *stepAt(rank);
    if (step.kind == StepKind::Await && told[{static_cast<std::size_t>(step.peer), rank}]-- <= 0) {
      ++told[{static_cast<std::size_t>(step.peer), rank}];
      return false;
    }
    if (step.kind == StepKind::Announce)
      for (const int listener : plan.ranks[rank].listeners[step.group])
        ++told[{rank, static_cast<std::size_t>(listener)}];
    if (const std::vector<int> *group = groupAt(rank)) {
      const std::vector<int> members = *group;
      for (std::size_t other = 0; other < cursors.size(); ++other)
        if (members.empty() || std::count(members.begin(), members.end(), static_cast<int>(other)))
          if (const std::vector<int> *there = groupAt(other); !there || *there != members)
            return false;
      for (std::size_t other = 0; other < cursors.size(); ++other)
        if (members.empty() || std::count(members.begin(), members.end(), static_cast<int>(other)))
          cursors[other].next();
      return true;
    }
    cursors[rank].next();
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t rank = 0; rank < cursors.size(); ++rank)
      for (int most = 10000; !cursors[rank].atEnd() && most > 0 && perform(rank); --most)
        moved = true;
  }
  for (const GrammarCursor &cursor : cursors)
    if (!cursor.atEnd())
      return "a rank waits for good in synchronisation";
  for (const auto &[pair, times] : told)
    if (times != 0)
      return "an announcement is not awaited";
  return {};
}

} // namespace

std::optional<std::string> harmOf(const RankCountPlan &plan) {
  for (std::uint32_t number = 0; number < plan.of<PlannedCollectives>().collectives.size();
       ++number)
    if (!callsLibrary(plan.of<PlannedCollectives>().collectives[number]))
      if (Harm harm = CollectiveFollowed(plan, number).harm())
        return harm;
  for (std::uint32_t number = 0; number < plan.of<SharedExchanges>().exchanges.size(); ++number)
    if (Harm harm = ExchangeFollowed(plan, number).harm())
      return harm;
  if (Harm harm = harmOfOrders(plan))
    return harm;
  return harmOfSteps(plan.of<SynchronizationPlan>());
}

} // namespace sendwright
