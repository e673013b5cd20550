// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/ChosenSchedule.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/schedules/Collectives.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sendwright {

namespace {

/// Beyond this only schedules with about as many messages as ranks are considered.
constexpr std::size_t mostRanksOfAnySchedule = 1024;

/// The link as messages with heads see it: a message without a head on the result takes as long on
/// its way, at ports and on processors as a message with a head on `link`.
LinkParameters withHeads(LinkParameters link) {
  constexpr auto head = static_cast<double>(collectiveMessageHead);
  link.L += head * link.G;
  link.g += head * link.G;
  link.o_send += head * link.O;
  link.o_recv += head * link.O_recv;
  if (link.large) {
    link.large->from -= head;
    link.large->o_send += head * link.large->O;
    link.large->o_recv += head * link.large->O_recv;
  }
  return link;
}

/// What the loop does. Allgather has no such schedules of its own; it uses those of all-to-all with
/// the same block for everyone.
const CollectiveAlgorithm &writtenAlgorithm(const CollectiveFinding &finding) {
  const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(
      finding.operation == Collective::Allgather ? Collective::AllToAll : finding.operation);
  const auto pairwise =
      std::find_if(algorithms.begin(), algorithms.end(),
                   [](const CollectiveAlgorithm &each) { return each.name == "pairwise"; });
  return finding.exchanges && pairwise != algorithms.end() ? *pairwise : algorithms.front();
}

/// Beyond this a loop's own order is not simulated: all its messages may be at one port at once.
constexpr std::size_t mostRanksInOrder = 256;

/// Whether the loop is slower than the linear schedule, in which no two ranks begin with the same
/// rank. If sends wait for their receivers, ranks that send to the others from the first to the
/// last all wait for the same rank.
bool ordersWaits(const CollectiveFinding &finding, const CollectiveTask &task,
                 const LinkParameters &link, bool replayed) {
  return replayed && !finding.exchanges && !hasRoot(finding.operation) &&
         task.ranks <= mostRanksInOrder && static_cast<double>(task.bytes) > link.eager_limit;
}

/// Every rank sends to all others, and receives from them, from the first to the last.
Schedule inOrderOfRanks(const CollectiveTask &task) {
  ScheduleBuilder builder(task.ranks, SlotsKept::No);
  for (std::uint32_t from = 0; from < task.ranks; ++from)
    for (std::uint32_t to = 0; to < task.ranks; ++to)
      if (to != from)
        builder.send(from, to, task.bytes, [] { return std::vector<std::uint32_t>(); });
  builder.receiveFrom(0);
  return builder.take();
}

/// The link between the ends of the group, as in the prediction of MPI's collective calls.
const LinkParameters &linkAmong(const Machine &machine, const std::vector<int> &members) {
  const auto [first, last] = std::minmax_element(members.begin(), members.end());
  return linkBetween(machine, static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
}

/// Seconds until all ranks are done if they begin at once, with `head` more bytes in each message.
/// The formulas know one kind of link; here each message takes the link between its ranks' nodes.
double secondsOf(Schedule schedule, const std::vector<int> &members, const Machine &machine,
                 std::uint64_t head) {
  const auto ranks =
      static_cast<std::size_t>(*std::max_element(members.begin(), members.end())) + 1;
  std::vector<std::vector<ScheduledOperation>> operations(ranks);
  for (std::size_t member = 0; member < members.size(); ++member)
    operations[static_cast<std::size_t>(members[member])] = std::move(schedule.ranks[member]);
  schedule.ranks = std::move(operations);
  for (ScheduledMessage &message : schedule.messages) {
    message.from = static_cast<std::uint32_t>(members[message.from]);
    message.to = static_cast<std::uint32_t>(members[message.to]);
    message.bytes += head;
  }
  const std::vector<double> seconds = simulateSchedule(schedule, machine);
  return *std::max_element(seconds.begin(), seconds.end());
}

/// An algorithm is simulated if its formula is within this factor of the best: with other links it
/// might be the fastest.
constexpr double worthSimulating = 2;

struct TimedAlgorithm {
  const CollectiveAlgorithm *algorithm = nullptr;
  LinkParameters link; // that the schedule is made for
  double seconds = 0;
};

/// The links for which an optimal tree is tried. If the ranks have two kinds of link, only the
/// simulation tells which tree is best.
std::vector<LinkParameters> linksFor(const CollectiveAlgorithm &algorithm, const Machine &machine,
                                     const LinkParameters &link) {
  std::vector<LinkParameters> links = {withHeads(link)};
  if (algorithm.shape == ScheduleShape::OptimalTree) {
    links.push_back(link);
    if (machine.within)
      links.push_back(withHeads(*machine.within));
  }
  return links;
}

/// Without an algorithm if there is none for so many ranks.
TimedAlgorithm fastest(const CollectiveFinding &finding, const CollectiveTask &task,
                       const Machine &machine, bool ordered) {
  const std::vector<int> &members = finding.communicator.members;
  const LinkParameters &link = linkAmong(machine, members);
  std::vector<std::pair<double, const CollectiveAlgorithm *>> known;
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(finding.operation))
    if ((ordered || algorithm.name != writtenAlgorithm(finding).name) &&
        (task.ranks <= mostRanksOfAnySchedule || algorithm.shape != ScheduleShape::Any))
      known.emplace_back(algorithm.seconds(task, withHeads(link)), &algorithm);
  TimedAlgorithm best;
  for (const auto &[formula, algorithm] : known) {
    if (formula > worthSimulating * std::min_element(known.begin(), known.end())->first)
      continue;
    for (const LinkParameters &shape : linksFor(*algorithm, machine, link)) {
      const double seconds = secondsOf(algorithm->schedule(task, shape, SlotsKept::No), members,
                                       machine, collectiveMessageHead);
      if (!best.algorithm || seconds < best.seconds * (1 - 1e-9)) // rounding is no advantage
        best = {algorithm, shape, seconds};
    }
  }
  return best;
}

/// By how much MPI's own function must be predicted to win: its time is measured, the others are
/// not.
constexpr double libraryMargin = 0.01;

/// Seconds of MPI's own function, with the head of each block; nothing if it cannot replace the
/// loop.
std::optional<double> librarySeconds(const CollectiveFinding &finding, const CollectiveTask &task,
                                     const Machine &machine) {
  if (finding.leastBytes != finding.bytes || finding.bytes > mostLibraryBytes)
    return {};
  return measuredSeconds(machine, finding.operation, task.ranks,
                         static_cast<double>(task.bytes + collectiveMessageHead));
}

/// The number of slots that a schedule's messages use.
std::uint32_t slotsUsed(const Schedule &schedule, Collective operation, std::uint32_t ranks) {
  std::uint64_t lastSlot = 0;
  for (const std::vector<std::uint32_t> &slots : schedule.slots)
    for (const std::uint32_t slot : slots)
      lastSlot = std::max<std::uint64_t>(lastSlot, slot);
  return static_cast<std::uint32_t>(slotsOf(operation, ranks, lastSlot > 0));
}

} // namespace

ChosenSchedule chooseSchedule(const CollectiveFinding &finding, const Machine &machine,
                              bool replayed) {
  const std::vector<int> &members = finding.communicator.members;
  const CollectiveTask task{static_cast<std::uint32_t>(members.size()), finding.bytes,
                            finding.root};
  const LinkParameters &link = linkAmong(machine, members);
  const CollectiveAlgorithm &written = writtenAlgorithm(finding);
  const bool ordered = ordersWaits(finding, task, link, replayed);
  ChosenSchedule decision;
  CollectivePrediction &prediction = decision.prediction;
  prediction.operation = finding.operation;
  prediction.algorithm = written.name;
  prediction.ranks = task.ranks;
  prediction.bytes = task.bytes;
  prediction.instances = finding.instances.size();
  prediction.writtenSeconds = prediction.seconds =
      task.ranks <= mostRanksOfAnySchedule || hasRoot(finding.operation)
          ? secondsOf(ordered ? inOrderOfRanks(task) : written.schedule(task, link, SlotsKept::No),
                      members, machine, 0)
          : written.seconds(task, link);
  const TimedAlgorithm best = fastest(finding, task, machine, ordered);
  decision.collective = {
      0, finding.operation, finding.communicator, finding.root, "", finding.bytes, 0};
  const double schedules = best.algorithm ? std::min(best.seconds, prediction.writtenSeconds)
                                          : prediction.writtenSeconds;
  const std::optional<double> library = librarySeconds(finding, task, machine);
  if (library && *library < (1 - libraryMargin) * schedules) {
    prediction.algorithm = decision.collective.algorithm = libraryFunctionOf(finding.operation);
    prediction.seconds = *library;
    decision.collective.slots =
        static_cast<std::uint32_t>(slotsOf(finding.operation, task.ranks, false));
    decision.parts.resize(task.ranks);
    return decision;
  }
  if (!best.algorithm || best.seconds >= prediction.writtenSeconds)
    return decision;
  prediction.algorithm = best.algorithm->name;
  prediction.seconds = best.seconds;
  const Schedule schedule = best.algorithm->schedule(task, best.link, SlotsKept::Yes);
  decision.collective.algorithm = best.algorithm->name;
  decision.collective.slots = slotsUsed(schedule, finding.operation, task.ranks);
  decision.parts = collectivePartsOf(0, schedule);
  return decision;
}

void addCollective(PlannedCollectives &plan, std::size_t ranks, std::uint32_t site,
                   const PlannedCollective &collective, const std::vector<RankCollective> &parts) {
  const auto number = static_cast<std::uint32_t>(plan.collectives.size());
  plan.collectives.push_back(collective);
  plan.collectives.back().site = site;
  plan.rankCollectives.resize(ranks);
  for (std::size_t member = 0; member < parts.size(); ++member) {
    const int rank = collective.communicator.members[member];
    std::vector<RankCollective> &ofRank = plan.rankCollectives[static_cast<std::size_t>(rank)];
    ofRank.push_back(parts[member]);
    ofRank.back().collective = number;
  }
}

Schedule scheduleOf(const PlannedCollectives &plan, std::size_t number) {
  const std::vector<int> &members = plan.collectives[number].communicator.members;
  Schedule schedule;
  schedule.ranks.resize(members.size());
  struct Pair {
    std::vector<std::uint32_t> messages;
    std::size_t done[2] = {}; // receives, sends
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs;
  for (std::uint32_t member = 0; member < members.size(); ++member)
    for (const RankCollective &part :
         plan.rankCollectives[static_cast<std::size_t>(members[member])]) {
      if (part.collective != number)
        continue;
      for (const CollectiveStep &step : part.steps) {
        const std::uint32_t from = step.isSend ? member : step.peer;
        const std::uint32_t to = step.isSend ? step.peer : member;
        Pair &pair = pairs[{from, to}];
        const std::size_t index = pair.done[step.isSend]++;
        if (index == pair.messages.size()) {
          pair.messages.push_back(static_cast<std::uint32_t>(schedule.messages.size()));
          schedule.messages.push_back({from, to, step.bytes, step.arrival});
        }
        schedule.ranks[member].push_back({pair.messages[index], step.isSend});
      }
    }
  return schedule;
}

} // namespace sendwright
