// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collectives/LocalSchedule.h"

#include <unordered_map>

namespace sendwright::collectives {

namespace {

/// To whom a slot belongs: see slotsOf().
LocalSlot describe(const PlannedCollective &collective, std::uint32_t rank, std::uint32_t number) {
  const auto ranks = static_cast<std::uint32_t>(collective.communicator.members.size());
  const auto relative =
      static_cast<int>((std::uint64_t{number} + collective.root) % ranks); // owner, from the root
  const bool atRoot = rank == collective.root, isOwn = relative == static_cast<int>(rank);
  LocalSlot slot{number, SlotUse::Transit, relative};
  switch (collective.operation) {
  case Collective::Scatter:
    slot.use = atRoot ? SlotUse::Own : isOwn ? SlotUse::Destined : SlotUse::Transit;
    break;
  case Collective::Gather:
    slot.use = isOwn ? SlotUse::Own : atRoot ? SlotUse::Destined : SlotUse::Transit;
    break;
  case Collective::Allgather:
    slot.use = isOwn ? SlotUse::Own : SlotUse::Destined;
    break;
  case Collective::AllToAll:
    if (number / ranks == rank)
      slot = {number, SlotUse::Own, static_cast<int>(number % ranks)};
    else if (number % ranks == rank)
      slot = {number, SlotUse::Destined, static_cast<int>(number / ranks)};
    break;
  default: // pieces of one message
    break;
  }
  return slot;
}

} // namespace

LocalSchedule localSchedule(const PlannedCollective &collective, const RankCollective &part,
                            std::uint32_t rank) {
  LocalSchedule schedule;
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  schedule.steps.reserve(part.steps.size());
  for (const CollectiveStep &step : part.steps) {
    if (!step.isSend)
      schedule.receives.push_back(static_cast<std::uint32_t>(schedule.steps.size()));
    LocalStep &local = schedule.steps.emplace_back();
    local.isSend = step.isSend;
    local.arrival = step.arrival;
    local.peer = collective.communicator.members[step.peer];
    local.bytes = step.bytes;
    for (const SlotRange &range : step.slots)
      for (std::uint32_t number = range.first; number < range.first + range.count; ++number) {
        const auto [place, isNew] =
            known.try_emplace(number, static_cast<std::uint32_t>(schedule.slots.size()));
        if (isNew)
          schedule.slots.push_back(describe(collective, rank, number));
        local.slots.push_back(place->second);
      }
  }
  return schedule;
}

} // namespace sendwright::collectives
