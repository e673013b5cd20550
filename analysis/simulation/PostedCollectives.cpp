// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation has one message for each of its ranks, which nobody sends: it arrives when the rank
// is done.

#include "analysis/simulation/PostedCollectives.h"

#include "analysis/schedules/Schedule.h"

#include <iterator>

namespace sendwright {

void PostedCollectives::post(std::uint32_t rank, std::size_t position, const Event &event,
                             std::uint32_t number, std::uint32_t call) {
  const CallGroup &group = *calls.groupOf(rank, event.communicator, number);
  const auto members = static_cast<std::uint32_t>(group.members.size());
  const auto [first, isNew] = known.try_emplace({number, call}, 0);
  if (isNew) {
    first->second = simulation.addMessages(members);
    operations[first->second].members = members;
  }
  Operation &operation = operations[first->second];
  const std::uint32_t member = memberOf(group.members, static_cast<int>(rank));
  for (const int request : event.requests)
    requests[rank][request] = first->second + member;
  if (operation.posted++ == 0 || simulation.clock[rank] > operation.begun) {
    operation.begun = simulation.clock[rank];
    operation.last = rank;
    operation.lastPosition = static_cast<std::uint32_t>(position);
  }
  if (operation.posted < members)
    return;
  const std::uint32_t root = event.peer >= 0 ? memberOf(group.members, event.peer) : 0;
  const std::optional<double> formula = calls.formulaSeconds(group, call);
  const std::vector<double> &done =
      formula ? std::vector<double>(members, *formula)
              : secondsOf(calls.scheduleOf(group, call, root < members ? root : 0));
  for (std::uint32_t each = 0; each < members; ++each)
    simulation.deliverLater(first->second + each, static_cast<std::uint32_t>(group.members[each]),
                            operation.begun + group.calls[call].setup + done[each], operation.last,
                            operation.begun);
  known.erase(first);
}

PostedCollectives::Operations::const_iterator
PostedCollectives::operationOf(std::uint32_t message) const {
  auto after = operations.upper_bound(message);
  if (after == operations.begin())
    return operations.end();
  --after;
  return message - after->first < after->second.members ? after : operations.end();
}

const std::vector<double> &
PostedCollectives::secondsOf(const std::shared_ptr<const Schedule> &schedule) {
  const auto [found, isNew] = seconds.try_emplace(schedule);
  if (isNew)
    found->second = simulateSchedule(*schedule, machine);
  return found->second;
}

} // namespace sendwright
