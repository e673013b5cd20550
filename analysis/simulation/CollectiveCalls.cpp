// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/CollectiveCalls.h"

#include "analysis/file/Limits.h"
#include "analysis/schedules/MpiAlgorithms.h"

#include <algorithm>
#include <set>

namespace sendwright {

namespace {

/// Messages in the schedules that are kept: at most a few hundred megabytes.
constexpr std::size_t mostKeptMessages = 4'000'000;

/// Bytes as in CollectiveTask, from what a rank contributes to a call.
std::uint64_t taskBytes(const MpiFunction &function, std::uint64_t contributed,
                        std::uint64_t ranks) {
  switch (function.amount) {
  case CollectiveAmount::Context:
    return 4;
  case CollectiveAmount::Membership:
    return 12;
  default:
    break;
  }
  if (function.operation == Collective::AllToAll) // of one block, whatever the size of the others
    return contributed / ranks;
  // All blocks are combined, although a rank names the size of one block.
  if (function.operation == Collective::ReduceScatter && function.amount == CollectiveAmount::Block)
    return contributed * ranks;
  return contributed;
}

bool gathersVaried(const MpiFunction &function) {
  return function.amount == CollectiveAmount::OwnBlock &&
         (function.operation == Collective::Gather || function.operation == Collective::Allgather);
}

/// Whether the machine file's algorithm for MPI_Alltoallv counts, not that for MPI_Alltoall.
bool hasBlocksThatVary(const MpiFunction &function) {
  return function.id == MpiFunctionId::Alltoallv;
}

/// The schedule in which every rank does `first`, then `second`.
Schedule inTurn(Schedule first, const Schedule &second) {
  const auto offset = static_cast<std::uint32_t>(first.messages.size());
  first.messages.insert(first.messages.end(), second.messages.begin(), second.messages.end());
  for (std::size_t rank = 0; rank < first.ranks.size(); ++rank)
    for (const ScheduledOperation &operation : second.ranks[rank])
      first.ranks[rank].push_back({offset + operation.message, operation.isSend});
  return first;
}

} // namespace

std::uint32_t memberOf(const std::vector<int> &members, int rank) {
  const auto place = static_cast<std::size_t>(rank);
  const auto found = place < members.size() && members[place] == rank
                         ? members.begin() + rank // communicators of all ranks
                         : std::find(members.begin(), members.end(), rank);
  return static_cast<std::uint32_t>(found - members.begin());
}

CollectiveCalls::CollectiveCalls(const Timeline &timeline, const Machine &machine)
    : machine(machine), communicators(timeline.communicators) {
  for (std::uint32_t number = 0; number < communicators.size(); ++number)
    groups.push_back({communicators[number].members, {}});
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    addCallsOf(rank, timeline.ranks[rank]);
  findSetups();
}

/// Finds the first call of each operation by an algorithm that must set something up.
void CollectiveCalls::findSetups() {
  if (machine.collectives.empty())
    return;
  for (CallGroup &group : groups) {
    std::set<Collective> known;
    for (GroupCall &call : group.calls) {
      const std::size_t members = group.members.size();
      const AlgorithmRow *row =
          known.contains(call.operation)
              ? nullptr
              : mpiRow(machine, std::string(nameOf(call.operation)),
                       static_cast<std::uint32_t>(members), call.bytes(members));
      if (row && row->setup > 0) {
        call.setup = row->setup;
        known.insert(call.operation);
      }
    }
  }
}

void CollectiveCalls::addCallsOf(std::size_t rank, const RankTimeline &timeline) {
  std::vector<std::size_t> next(timeline.profile->communicators.size());
  const std::vector<Event> &events = timeline.profile->events;
  std::vector<std::optional<Collective>> modelled(events.size());
  for (std::size_t number = 0; number < events.size(); ++number) {
    std::uint32_t group = 0;
    if (events[number].kind == EventKind::Call && groupOf(rank, events[number].communicator, group))
      modelled[number] = mpiFunction(events[number].function).operation;
  }
  for (std::uint32_t number : timeline.numbers) {
    const std::optional<Collective> operation = modelled[number];
    if (!operation)
      continue;
    const Event &event = events[number];
    CallGroup &group = groups[communicators.of(rank, event.communicator)];
    const std::size_t call = next[event.communicator]++;
    const MpiFunction &function = mpiFunction(event.function);
    const std::uint64_t bytes = taskBytes(function, event.bytes, group.members.size());
    if (call == group.calls.size())
      group.calls.push_back(
          {*operation, 0, 0, 0, gathersVaried(function), hasBlocksThatVary(function)});
    GroupCall &made = group.calls[call];
    made.most = std::max(made.most, bytes);
    made.sum += bytes;
  }
}

const CallGroup *CollectiveCalls::groupOf(std::size_t rank, int communicator,
                                          std::uint32_t &number) const {
  const std::uint32_t found = communicators.ofGroup(rank, communicator);
  if (found == CommunicatorNumbers::none)
    return nullptr;
  number = found;
  return &groups[number];
}

const LinkParameters &CollectiveCalls::linkOf(const CallGroup &group) const {
  const auto [first, last] = std::minmax_element(group.members.begin(), group.members.end());
  return linkBetween(machine, static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
}

const CollectiveAlgorithm &CollectiveCalls::algorithmOf(const GroupCall &call,
                                                        const CollectiveTask &task,
                                                        const LinkParameters &link) const {
  if (call.blocksVary && exchangesPairwise(machine, task.ranks))
    return mpiPairwiseAllToAll();
  return mpiAlgorithm(machine, call.operation, task, link);
}

std::optional<double> CollectiveCalls::formulaSeconds(const CallGroup &group,
                                                      std::uint32_t call) const {
  const Collective operation = group.calls[call].operation;
  const bool ofAllPairs = operation == Collective::AllToAll || operation == Collective::Allgather ||
                          operation == Collective::Allreduce ||
                          operation == Collective::ReduceScatter;
  if (!ofAllPairs || group.members.size() <= limits::scheduledRanks)
    return std::nullopt;
  const CollectiveTask task{static_cast<std::uint32_t>(group.members.size()),
                            group.calls[call].bytes(group.members.size()), 0};
  const LinkParameters &link = linkOf(group);
  return algorithmOf(group.calls[call], task, link).seconds(task, link);
}

std::shared_ptr<const Schedule> CollectiveCalls::scheduleOf(const CallGroup &group,
                                                            std::uint32_t call, std::uint32_t root,
                                                            bool meetsFirst) {
  const Collective operation = group.calls[call].operation;
  const std::uint64_t bytes = group.calls[call].bytes(group.members.size());
  const LinkParameters &link = linkOf(group);
  const Key key{operation,
                group.calls[call].blocksVary,
                group.members.size(),
                bytes,
                root,
                &link != &machine.between,
                meetsFirst};
  std::shared_ptr<const Schedule> &kept = schedules[key];
  if (kept)
    return kept;
  if (formulaSeconds(group, call)) { // a message for each member, which comes when all are done
    Schedule end;
    end.messages.resize(group.members.size());
    end.ranks.resize(group.members.size());
    return kept = std::make_shared<const Schedule>(std::move(end));
  }
  const CollectiveTask task{static_cast<std::uint32_t>(group.members.size()), bytes, root};
  Schedule schedule =
      algorithmOf(group.calls[call], task, link).schedule(task, link, SlotsKept::No);
  if (meetsFirst) {
    const CollectiveTask meeting{task.ranks, 0, 0};
    const CollectiveAlgorithm &barrier = bestAlgorithm(Collective::Barrier, meeting, link);
    schedule = inTurn(barrier.schedule(meeting, link, SlotsKept::No), schedule);
  }
  auto made = std::make_shared<const Schedule>(std::move(schedule));
  if (keptMessages + made->messages.size() > mostKeptMessages) {
    schedules.clear();
    keptMessages = 0;
  }
  keptMessages += made->messages.size();
  schedules[key] = made;
  return made;
}

} // namespace sendwright
