// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/CollectiveDecision.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sendwright {

namespace {

/// Beyond it only schedules are looked at that have about as many messages as ranks.
constexpr std::size_t mostRanksOfAnySchedule = 1024;

/// A link on which each message brings its head along: as long on its way, and at the ports and
/// processors, as without a head on this one.
LinkParameters withHeads(LinkParameters link) {
  constexpr auto head = static_cast<double>(collectiveMessageHead);
  link.L += head * link.G;
  link.g += head * link.G;
  link.o_send += head * link.O;
  link.o_recv += head * link.O_recv;
  return link;
}

/// What the loop does: allgather has no linear schedule of its own, but that of all-to-all with the
/// same block for everyone.
const CollectiveAlgorithm &asWritten(Collective operation) {
  return algorithmsOf(operation == Collective::Allgather ? Collective::AllToAll : operation)
      .front();
}

/// Between the ends of the group, as a collective call of MPI on it is predicted.
const LinkParameters &linkAmong(const Machine &machine, const std::vector<int> &members) {
  const auto [first, last] = std::minmax_element(members.begin(), members.end());
  return linkBetween(machine, static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
}

/// Null where there is none for so many ranks.
const CollectiveAlgorithm *fastest(Collective operation, const CollectiveTask &task,
                                   const LinkParameters &link) {
  const CollectiveAlgorithm *best = nullptr;
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
    if ((task.ranks <= mostRanksOfAnySchedule || algorithm.name.ends_with("tree")) &&
        (!best || algorithm.seconds(task, link) < best->seconds(task, link) * (1 - 1e-9)))
      best = &algorithm;
  return best;
}

} // namespace

CollectiveDecision decideCollective(const CollectiveFinding &finding, const Machine &machine) {
  const std::vector<int> &members = finding.communicator.members;
  const CollectiveTask task{static_cast<std::uint32_t>(members.size()), finding.bytes,
                            finding.root};
  const LinkParameters &link = linkAmong(machine, members);
  const LinkParameters headed = withHeads(link);
  const CollectiveAlgorithm &written = asWritten(finding.operation);
  CollectiveDecision decision;
  CollectivePrediction &prediction = decision.prediction;
  prediction.operation = nameOf(finding.operation);
  prediction.algorithm = written.name;
  prediction.ranks = task.ranks;
  prediction.bytes = task.bytes;
  prediction.instances = finding.instances.size();
  prediction.writtenSeconds = prediction.seconds = written.seconds(task, link);
  const CollectiveAlgorithm *best = fastest(finding.operation, task, headed);
  if (!best || best->name == written.name ||
      best->seconds(task, headed) >= prediction.writtenSeconds)
    return decision;
  prediction.algorithm = best->name;
  prediction.seconds = best->seconds(task, headed);
  const Schedule schedule = best->schedule(task, headed, SlotsKept::Yes);
  std::uint64_t used = 0;
  for (const std::vector<std::uint32_t> &slots : schedule.slots)
    for (const std::uint32_t slot : slots)
      used = std::max<std::uint64_t>(used, slot);
  decision.collective = {
      0,
      finding.operation,
      finding.communicator,
      finding.root,
      std::string(best->name),
      finding.bytes,
      static_cast<std::uint32_t>(slotsOf(finding.operation, task.ranks, used > 0))};
  decision.parts = collectivePartsOf(0, schedule);
  return decision;
}

void addCollective(RankCountPlan &plan, std::size_t ranks, std::uint32_t site,
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

Schedule scheduleOf(const RankCountPlan &plan, std::size_t number) {
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
