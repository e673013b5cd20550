// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/benchmark/plan-changes/PlanChanges.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"

#include <functional>
#include <iterator>
#include <utility>

namespace sendwright {

namespace {

std::size_t below(std::size_t limit, std::mt19937 &random) { return random() % limit; }

template <typename List> auto &anyOf(List &list, std::mt19937 &random) {
  return list[below(std::size(list), random)];
}

/// Another number: near the old one, far from it, or small.
template <typename Number> void changeNumber(Number &number, std::mt19937 &random) {
  const auto before = number;
  switch (below(6, random)) {
  case 0:
    number = static_cast<Number>(number + 1);
    break;
  case 1:
    number = static_cast<Number>(number - 1);
    break;
  case 2:
    number = static_cast<Number>(Number{1} << below(sizeof(Number) * 8 - 1, random));
    break;
  default:
    number = static_cast<Number>(below(6, random));
  }
  if (number == before)
    number = static_cast<Number>(number + 1);
}

/// Removes, repeats or moves an element, or swaps two.
template <typename Element> void changeList(std::vector<Element> &list, std::mt19937 &random) {
  if (list.empty())
    return;
  const std::size_t at = below(list.size(), random), other = below(list.size(), random);
  switch (below(4, random)) {
  case 0:
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 1: {
    Element copy = list[at];
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(other), std::move(copy));
    break;
  }
  default:
    std::swap(list[at], list[list.size() > 1 && at == other ? (at + 1) % list.size() : other]);
  }
}

void changeCommunicator(Communicator &communicator, std::mt19937 &random) {
  std::vector<int> members = communicator.members;
  switch (below(4, random)) {
  case 0:
    changeNumber(communicator.instance, random);
    break;
  case 1:
    communicator.intercommunicator = !communicator.intercommunicator;
    break;
  case 2:
    if (!members.empty())
      anyOf(members, random) = static_cast<int>(below(4, random));
    break;
  default:
    changeList(members, random);
  }
  communicator.members = std::move(members);
}

std::string anyAlgorithm(std::mt19937 &random) {
  const Collective operation = static_cast<Collective>(below(6, random));
  const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(operation);
  const std::size_t which = below(algorithms.size() + 2, random);
  if (which == algorithms.size())
    return std::string(libraryFunctionOf(operation));
  return which > algorithms.size() ? "no algorithm" : std::string(algorithms[which].name);
}

void changeStep(CollectiveStep &step, std::mt19937 &random) {
  switch (below(5, random)) {
  case 0:
    step.peer = static_cast<std::uint32_t>(below(4, random));
    break;
  case 1:
    step.isSend = !step.isSend;
    break;
  case 2:
    changeNumber(step.bytes, random);
    break;
  case 3:
    step.arrival = static_cast<Arrival>((static_cast<unsigned>(step.arrival) + 1) % 3);
    break;
  default:
    if (step.slots.empty())
      return;
    SlotRange &range = anyOf(step.slots, random);
    changeNumber(below(2, random) ? range.first : range.count, random);
  }
}

std::string changeCollective(RankCountPlan &plan, std::mt19937 &random) {
  if (plan.of<PlannedCollectives>().collectives.empty())
    return "";
  PlannedCollective &collective = anyOf(plan.of<PlannedCollectives>().collectives, random);
  switch (below(12, random)) {
  case 0:
    collective.site = static_cast<std::uint32_t>(below(plan.sites.size(), random));
    return "a collective's site";
  case 1:
    collective.operation = static_cast<Collective>(below(6, random));
    return "an operation";
  case 2:
    collective.root = static_cast<std::uint32_t>(below(4, random));
    return "a root";
  case 3:
    collective.algorithm = anyAlgorithm(random);
    return "an algorithm";
  case 4:
    changeNumber(collective.bytes, random);
    return "a collective's bytes";
  case 5:
    changeNumber(collective.slots, random);
    return "a number of slots";
  case 6:
    changeCommunicator(collective.communicator, random);
    return "a collective's communicator";
  default:
    break;
  }
  std::vector<RankCollective> &parts = anyOf(plan.of<PlannedCollectives>().rankCollectives, random);
  if (parts.empty())
    return "";
  RankCollective &part = anyOf(parts, random);
  if (part.steps.empty())
    return "";
  if (below(3, random) == 0)
    changeList(part.steps, random);
  else
    changeStep(anyOf(part.steps, random), random);
  return "a step of a collective";
}

std::string changeTransfers(RankExchange &part, std::mt19937 &random) {
  if (part.stages.empty())
    return "";
  RankStage &stage = anyOf(part.stages, random);
  const bool isSend = below(2, random);
  std::vector<Transfer> &transfers = isSend ? stage.sends : stage.receives;
  if (transfers.empty())
    return "";
  if (below(4, random) == 0) {
    changeList(transfers, random);
    return "the combined messages of a stage";
  }
  if (below(4, random) == 0) {
    RankStage &other = anyOf(part.stages, random);
    (isSend ? other.sends : other.receives).push_back(transfers.back());
    transfers.pop_back();
    return "the stage of a combined message";
  }
  Transfer &transfer = anyOf(transfers, random);
  if (below(3, random) == 0 || transfer.messages.empty()) {
    transfer.peer = static_cast<int>(below(4, random));
    return "a combined message's other end";
  }
  if (below(2, random))
    changeList(transfer.messages, random);
  else
    anyOf(transfer.messages, random) =
        static_cast<std::uint32_t>(below(part.messages.size() + 1, random));
  return "what is in a combined message";
}

std::string changeTurns(RankCountPlan &plan, std::mt19937 &random) {
  if (plan.of<SharedExchanges>().turns.empty())
    return "";
  LoopTurns &loop = anyOf(plan.of<SharedExchanges>().turns, random);
  const std::size_t exchanges = plan.of<SharedExchanges>().exchanges.size();
  switch (below(5, random)) {
  case 0:
    loop.site = static_cast<std::uint32_t>(below(plan.sites.size(), random));
    return "the site of turns";
  case 1:
    changeList(loop.ofRanks, random);
    return "the ranks of turns";
  case 2:
    anyOf(loop.ofRanks, random) = static_cast<std::uint32_t>(below(3, random));
    return "a rank's turns";
  case 3:
    changeList(anyOf(loop.kinds, random).cycle, random);
    return "a cycle of turns";
  default:
    anyOf(loop.kinds, random)
        .first.push_back(below(3, random) == 0
                             ? ExchangeTurns::nothing
                             : static_cast<std::uint32_t>(below(exchanges + 1, random)));
    return "a turn";
  }
}

std::string changeRecordedSteps(RankCountPlan &plan, std::mt19937 &random) {
  RecordedSteps &steps = plan.of<SharedExchanges>().steps;
  if (steps.size() == 0)
    return "";
  switch (below(4, random)) {
  case 0:
    changeList(steps.order, random);
    return "the recorded steps";
  case 1:
    anyOf(steps.order, random) = static_cast<std::uint32_t>(below(steps.kinds.size() + 1, random));
    return "a recorded step";
  case 2:
    changeList(anyOf(steps.kinds, random), random);
    return "the exchanges of recorded steps";
  default:
    RecordedSteps::Counts &kind = anyOf(steps.kinds, random);
    if (kind.empty())
      return "";
    anyOf(kind, random) = below(3, random) == 0 ? RecordedSteps::mostInstances : below(5, random);
    return "the instances of recorded steps";
  }
}

std::string changeExchange(RankCountPlan &plan, std::mt19937 &random) {
  if (plan.of<SharedExchanges>().exchanges.empty())
    return "";
  SharedExchange &exchange = anyOf(plan.of<SharedExchanges>().exchanges, random);
  switch (below(12, random)) {
  case 0:
    exchange.site = static_cast<std::uint32_t>(below(plan.sites.size(), random));
    return "an exchange's site";
  case 1:
    changeCommunicator(exchange.communicator, random);
    return "an exchange's communicator";
  case 2:
    changeNumber(exchange.stages, random);
    return "a number of stages";
  case 3:
    changeNumber(exchange.messages, random);
    return "a number of messages";
  case 4:
    exchange.anySource.push_back(static_cast<int>(below(4, random)));
    changeList(exchange.anySource, random);
    return "who receives from any source";
  default:
    break;
  }
  std::vector<RankExchange> &parts = anyOf(plan.of<SharedExchanges>().rankExchanges, random);
  if (parts.empty())
    return "";
  RankExchange &part = anyOf(parts, random);
  if (below(3, random) != 0)
    return changeTransfers(part, random);
  if (part.messages.empty())
    return "";
  SharedMessage &message = anyOf(part.messages, random);
  switch (below(5, random)) {
  case 4:
    message.tags = {anyTag};
    break;
  case 0:
    message.source = static_cast<int>(below(4, random));
    break;
  case 1:
    message.destination = static_cast<int>(below(4, random));
    break;
  case 2:
    changeList(part.messages, random);
    break;
  default:
    if (!message.tags.empty())
      changeNumber(anyOf(message.tags, random), random);
  }
  return "a message of an exchange";
}

std::string changeOrder(RankCountPlan &plan, std::mt19937 &random) {
  std::vector<RankSite> &sites = anyOf(plan.of<PlannedOrders>().ranks, random);
  if (sites.empty())
    return "";
  RankSite &site = anyOf(sites, random);
  if (below(6, random) == 0) {
    site.site = static_cast<std::uint32_t>(below(plan.sites.size(), random));
    return "the site of an order";
  }
  if (site.orders.empty())
    return "";
  if (below(6, random) == 0) {
    changeList(site.orders, random);
    return "the orders of a site";
  }
  SendOrder &order = anyOf(site.orders, random);
  if (below(4, random) == 0) {
    changeNumber(order.window, random);
    return "a window";
  }
  if (order.destinations.empty() || below(3, random) == 0)
    order.destinations.push_back(static_cast<int>(below(4, random)));
  else
    changeList(order.destinations, random);
  return "an order";
}

std::string changeSteps(RankCountPlan &plan, std::mt19937 &random) {
  SynchronizationPlan &synchronization = plan.of<SynchronizationPlan>();
  if (synchronization.ranks.empty())
    return "";
  if (below(10, random) == 0) {
    synchronization.kind = static_cast<SynchronizationKind>(1 + below(3, random));
    return "the kind of synchronisation";
  }
  RankSteps &rank = anyOf(synchronization.ranks, random);
  std::vector<std::vector<int>> &lists = below(2, random) ? rank.groups : rank.listeners;
  switch (below(4, random)) {
  case 0:
    if (lists.empty())
      return "";
    anyOf(lists, random).push_back(static_cast<int>(below(4, random)));
    changeList(anyOf(lists, random), random);
    return "a group";
  case 1: {
    std::vector<GrammarItem> &rule = anyOf(rank.sequence.rules, random);
    if (rule.empty())
      return "";
    GrammarItem &item = anyOf(rule, random);
    if (below(3, random) == 0)
      changeList(rule, random);
    else if (below(2, random))
      item.repetitions += 1;
    else if (!item.isRule)
      item.symbol = static_cast<std::uint32_t>(below(rank.steps.size(), random));
    return "a sequence of steps";
  }
  default: {
    Step &step = anyOf(rank.steps, random);
    if (below(3, random) == 0)
      step.kind = static_cast<StepKind>(below(6, random));
    else if (below(2, random))
      step.peer = static_cast<int>(below(4, random));
    else
      step.group = static_cast<std::uint32_t>(below(2, random));
    return "a step of synchronisation";
  }
  }
}

std::string changeSite(RankCountPlan &plan, std::mt19937 &random) {
  if (plan.sites.empty())
    return "";
  SitePlan &site = anyOf(plan.sites, random), &other = anyOf(plan.sites, random);
  switch (below(5, random)) {
  case 0:
    site.decision = static_cast<Decision>(1 - static_cast<int>(site.decision));
    return "a decision";
  case 1:
    site.transformation = other.transformation.empty() ? "collectives" : "message-ordering";
    return "a transformation";
  case 2:
    std::swap(site.site, other.site);
    return "which loops two sites are";
  case 3:
    site.site.hash += 1;
    return "which loop a site is";
  default:
    if (site.of<SiteCollective>().prediction)
      changeNumber(site.of<SiteCollective>().prediction->bytes, random);
    return "a prediction";
  }
}

/// How the texts name the steps in the rounds of a collective.
std::string stepName(std::size_t rank, std::size_t collective, std::size_t step) {
  return "rank " + std::to_string(rank) + ", collective " + std::to_string(collective) + ", step " +
         std::to_string(step) + ": ";
}

using StepChange = std::pair<const char *, std::function<void(CollectiveStep &)>>;

const std::vector<StepChange> &stepChanges() {
  static const std::vector<StepChange> changes = {
      {"the next peer", [](CollectiveStep &step) { step.peer = (step.peer + 1) % 4; }},
      {"the peer after that", [](CollectiveStep &step) { step.peer = (step.peer + 2) % 4; }},
      {"the other direction", [](CollectiveStep &step) { step.isSend = !step.isSend; }},
      {"the next slot", [](CollectiveStep &step) { ++step.slots.front().first; }},
      {"the slot before", [](CollectiveStep &step) { --step.slots.front().first; }},
      {"a slot more", [](CollectiveStep &step) { ++step.slots.back().count; }},
      {"a slot less", [](CollectiveStep &step) { --step.slots.back().count; }},
      {"a byte more", [](CollectiveStep &step) { ++step.bytes; }},
      {"many bytes", [](CollectiveStep &step) { step.bytes += 100000; }},
      {"no bytes", [](CollectiveStep &step) { step.bytes = 0; }},
      {"another arrival",
       [](CollectiveStep &step) {
         step.arrival = static_cast<Arrival>((static_cast<unsigned>(step.arrival) + 1) % 3);
       }},
  };
  return changes;
}

void addStepChanges(const RankCountPlan &plan, std::vector<ChangedPlan> &all) {
  const auto add = [&](const std::string &what, std::size_t rank, std::size_t part, auto change) {
    ChangedPlan &changed = all.emplace_back(ChangedPlan{what, plan});
    change(changed.plan.of<PlannedCollectives>().rankCollectives[rank][part].steps);
  };
  for (std::size_t rank = 0; rank < plan.of<PlannedCollectives>().rankCollectives.size(); ++rank)
    for (std::size_t part = 0; part < plan.of<PlannedCollectives>().rankCollectives[rank].size();
         ++part) {
      const RankCollective &own = plan.of<PlannedCollectives>().rankCollectives[rank][part];
      for (std::size_t at = 0; at < own.steps.size(); ++at) {
        const std::string name = stepName(rank, own.collective, at);
        for (const auto &[what, change] : stepChanges())
          add(name + what, rank, part,
              [&, &change = change](std::vector<CollectiveStep> &steps) { change(steps[at]); });
        const auto place = static_cast<std::ptrdiff_t>(at);
        add(name + "left out", rank, part,
            [&](std::vector<CollectiveStep> &steps) { steps.erase(steps.begin() + place); });
        add(name + "twice", rank, part, [&](std::vector<CollectiveStep> &steps) {
          steps.insert(steps.begin() + place, CollectiveStep(steps[at]));
        });
        if (at + 1 < own.steps.size())
          add(name + "changed with the next", rank, part,
              [&](std::vector<CollectiveStep> &steps) { std::swap(steps[at], steps[at + 1]); });
      }
    }
}

} // namespace

std::vector<ChangedPlan> everyChangeOfCollectives(const RankCountPlan &plan) {
  std::vector<ChangedPlan> all;
  for (std::size_t number = 0; number < plan.of<PlannedCollectives>().collectives.size();
       ++number) {
    const auto add = [&](const char *what, auto change) {
      ChangedPlan &changed =
          all.emplace_back(ChangedPlan{"collective " + std::to_string(number) + ": " + what, plan});
      change(changed.plan.of<PlannedCollectives>().collectives[number]);
    };
    for (std::uint32_t more = 1; more < 4; ++more)
      add("another root", [&](PlannedCollective &one) { one.root = (one.root + more) % 4; });
    for (int operation = 0; operation < 6; ++operation)
      add("another operation",
          [&](PlannedCollective &one) { one.operation = static_cast<Collective>(operation); });
    add("MPI's function",
        [](PlannedCollective &one) { one.algorithm = libraryFunctionOf(one.operation); });
    add("linear", [](PlannedCollective &one) { one.algorithm = "linear"; });
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 31, std::uint64_t{1} << 47})
      add("other bytes", [&](PlannedCollective &one) { one.bytes = bytes; });
    for (const std::uint32_t slots : {1u, 4u, 16u})
      add("other slots", [&](PlannedCollective &one) { one.slots = slots; });
    add("two members in each other's place", [](PlannedCollective &one) {
      std::vector<int> members = one.communicator.members;
      std::swap(members[1], members[2]);
      one.communicator.members = std::move(members);
    });
    add("another communicator", [](PlannedCollective &one) { ++one.communicator.instance; });
  }
  addStepChanges(plan, all);
  return all;
}

ChangedPlan randomChange(const RankCountPlan &plan, std::mt19937 &random) {
  ChangedPlan changed{"", plan};
  using Change = std::string (*)(RankCountPlan &, std::mt19937 &);
  static constexpr Change changes[] = {changeCollective, changeCollective, changeExchange,
                                       changeExchange,   changeTurns,      changeOrder,
                                       changeSteps,      changeSite,       changeRecordedSteps};
  for (std::size_t left = below(3, random) == 0 ? 1 + below(4, random) : 1; left > 0;)
    if (const std::string what = anyOf(changes, random)(changed.plan, random); !what.empty()) {
      changed.change += (changed.change.empty() ? "" : ", ") + what;
      --left;
    }
  return changed;
}

} // namespace sendwright
