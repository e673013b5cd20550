// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/ScheduledLoops.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/run/LoopInstances.h"
#include "analysis/schedules/Collectives.h"

#include <algorithm>

namespace sendwright {

namespace {

bool comesToAll(const LoopInstance &instance, std::vector<int> members) {
  std::sort(members.begin(), members.end());
  return std::equal(instance.entries.begin(), instance.entries.end(), members.begin(),
                    members.end(), [](const EventPosition &entry, int member) {
                      return static_cast<int>(entry.rank) == member;
                    });
}

std::uint32_t ranksOf(const PlannedCollective &collective) {
  return static_cast<std::uint32_t>(collective.communicator.members.size());
}

std::optional<double> librarySeconds(const PlannedCollective &collective, const Machine &machine) {
  return measuredSeconds(machine, collective.operation, ranksOf(collective),
                         static_cast<double>(collective.bytes + collectiveMessageHead));
}

/// Stands for a function of MPI: one message for each rank, which tells it that all is done; or, if
/// the function was not measured, the algorithm predicted to be fastest.
Schedule libraryStandIn(const PlannedCollective &collective, const Machine &machine) {
  const CollectiveTask task{ranksOf(collective), collective.bytes, collective.root};
  if (!librarySeconds(collective, machine)) {
    const std::vector<int> &members = collective.communicator.members;
    const auto [first, last] = std::minmax_element(members.begin(), members.end());
    const LinkParameters &link =
        linkBetween(machine, static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
    return bestAlgorithm(collective.operation, task, link).schedule(task, link, SlotsKept::No);
  }
  Schedule schedule;
  schedule.ranks.resize(task.ranks);
  for (std::uint32_t rank = 0; rank < task.ranks; ++rank)
    schedule.messages.push_back({rank, rank, 0, Arrival::Store});
  return schedule;
}

} // namespace

ScheduledLoops::ScheduledLoops(const Timeline &timeline, const Machine &machine,
                               const PlannedCollectives *plan,
                               const std::map<int, std::uint32_t> &planned)
    : plan(plan), entries(timeline.ranks.size()) {
  if (!plan || plan->collectives.empty())
    return;
  std::map<int, Collective> loops; // by site of the profile
  std::map<int, std::uint32_t> collectiveAt;
  for (std::uint32_t number = 0; number < plan->collectives.size(); ++number) {
    schedules.push_back(std::make_shared<const Schedule>(
        callsLibrary(plan->collectives[number]) ? libraryStandIn(plan->collectives[number], machine)
                                                : sendwright::scheduleOf(*plan, number)));
    for (const auto &[site, inPlan] : planned)
      if (inPlan == plan->collectives[number].site) {
        loops[site] = plan->collectives[number].operation;
        collectiveAt[site] = number;
      }
  }
  replaced.resize(timeline.messages.size());
  for (const auto &[site, found] : findLoopInstances(timeline, loops)) {
    const PlannedCollective &collective = plan->collectives[collectiveAt.at(site)];
    for (const LoopInstance &instance : found) {
      // If the run was cut, or is not the run of the plan, some ranks may not come to an instance.
      // It is then sent as written, as it would be beyond the end of the record.
      if (!comesToAll(instance, collective.communicator.members))
        continue;
      std::uint64_t bytes = 0;
      for (const std::uint32_t message : instance.messages) {
        replaced[message] = 1;
        const EventPosition &sent = timeline.messages[message].send;
        if (sent.position != noPosition)
          bytes = std::max(bytes, timeline.ranks[sent.rank].at(sent.position).bytes);
      }
      const auto number = static_cast<std::uint32_t>(instances.size());
      for (const EventPosition &entry : instance.entries)
        entries[entry.rank][entry.position] = number;
      Instance &made = instances.emplace_back();
      made.collective = collectiveAt.at(site);
      if (collective.bytes > 0)
        made.scale = static_cast<double>(bytes) / static_cast<double>(collective.bytes);
      if (callsLibrary(collective)) // for any size, because the plan calls it for any size
        made.seconds = librarySeconds(collective, machine);
    }
  }
}

std::uint32_t ScheduledLoops::entered(std::size_t rank, std::size_t position) const {
  const auto found = entries[rank].find(static_cast<std::uint32_t>(position));
  return found == entries[rank].end() ? none : found->second;
}

} // namespace sendwright
