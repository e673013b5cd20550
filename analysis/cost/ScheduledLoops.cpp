// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/cost/ScheduledLoops.h"

#include "analysis/plan/CollectiveDecision.h"
#include "analysis/plan/LoopInstances.h"

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

} // namespace

ScheduledLoops::ScheduledLoops(const Timeline &timeline, const RankCountPlan *plan,
                               const std::map<int, std::uint32_t> &planned)
    : plan(plan), entries(timeline.ranks.size()) {
  if (!plan || plan->collectives.empty())
    return;
  std::map<int, Collective> loops; // by site of the profile
  std::map<int, std::uint32_t> collectiveAt;
  for (std::uint32_t number = 0; number < plan->collectives.size(); ++number) {
    schedules.push_back(std::make_shared<const Schedule>(sendwright::scheduleOf(*plan, number)));
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
      // A run that is cut, or another than the plan's, may have instances that not all ranks come
      // to: these go as written, as they would where they are beyond the end of the record.
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
      instances.push_back({collectiveAt.at(site),
                           collective.bytes > 0
                               ? static_cast<double>(bytes) / static_cast<double>(collective.bytes)
                               : 1});
    }
  }
}

std::uint32_t ScheduledLoops::entered(std::size_t rank, std::size_t position) const {
  const auto found = entries[rank].find(static_cast<std::uint32_t>(position));
  return found == entries[rank].end() ? none : found->second;
}

} // namespace sendwright
