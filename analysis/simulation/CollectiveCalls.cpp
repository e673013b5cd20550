// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/CollectiveCalls.h"

#include "analysis/file/Limits.h"
#include "analysis/schedules/MpiAlgorithms.h"

#include <algorithm>
#include <set>

namespace sendwright {

namespace {

/// Messages in schedules that are kept, a few hundred megabytes at most.
constexpr std::size_t mostKeptMessages = 4'000'000;

/// Bytes as CollectiveTask has them, of what a rank contributes to a call.
std::uint64_t taskBytes(MpiFunctionId function, std::uint64_t contributed, std::uint64_t ranks) {
  switch (function) {
  case MpiFunctionId::Alltoall:
  case MpiFunctionId::Alltoallv:
  case MpiFunctionId::Alltoallw:
  case MpiFunctionId::Ialltoall:
  case MpiFunctionId::Ialltoallv:
  case MpiFunctionId::Ialltoallw:
    return contributed / ranks;
  case MpiFunctionId::Reduce_scatter_block:
  case MpiFunctionId::Ireduce_scatter_block:
    return contributed * ranks;
  case MpiFunctionId::Comm_split: // colour, key and rank of everyone
    return 12;
  default:
    break;
  }
  // What makes a communicator agrees on its number.
  return mpiFunction(function).role == MpiRole::Collective && mpiFunction(function).buffer < 0 &&
                 function != MpiFunctionId::Barrier
             ? 4
             : contributed;
}

bool gathersVaried(MpiFunctionId function) {
  return function == MpiFunctionId::Gatherv || function == MpiFunctionId::Igatherv ||
         function == MpiFunctionId::Allgatherv || function == MpiFunctionId::Iallgatherv;
}

/// Every rank does `first`, then `second`.
Schedule inTurn(Schedule first, const Schedule &second) {
  const auto offset = static_cast<std::uint32_t>(first.messages.size());
  first.messages.insert(first.messages.end(), second.messages.begin(), second.messages.end());
  for (std::size_t rank = 0; rank < first.ranks.size(); ++rank)
    for (const ScheduledOperation &operation : second.ranks[rank])
      first.ranks[rank].push_back({offset + operation.message, operation.isSend});
  return first;
}

} // namespace

std::optional<Collective> modelledCollective(MpiFunctionId function) {
  switch (function) {
  case MpiFunctionId::Barrier:
  case MpiFunctionId::Ibarrier:
    return Collective::Barrier;
  case MpiFunctionId::Bcast:
  case MpiFunctionId::Ibcast:
    return Collective::Broadcast;
  case MpiFunctionId::Gather:
  case MpiFunctionId::Gatherv:
  case MpiFunctionId::Igather:
  case MpiFunctionId::Igatherv:
    return Collective::Gather;
  case MpiFunctionId::Scatter:
  case MpiFunctionId::Scatterv:
  case MpiFunctionId::Iscatter:
  case MpiFunctionId::Iscatterv:
    return Collective::Scatter;
  case MpiFunctionId::Allgather:
  case MpiFunctionId::Allgatherv:
  case MpiFunctionId::Iallgather:
  case MpiFunctionId::Iallgatherv:
  case MpiFunctionId::Comm_split:
  case MpiFunctionId::Comm_split_type:
    return Collective::Allgather;
  case MpiFunctionId::Alltoall:
  case MpiFunctionId::Alltoallv:
  case MpiFunctionId::Alltoallw:
  case MpiFunctionId::Ialltoall:
  case MpiFunctionId::Ialltoallv:
  case MpiFunctionId::Ialltoallw:
    return Collective::AllToAll;
  case MpiFunctionId::Reduce:
  case MpiFunctionId::Ireduce:
    return Collective::Reduce;
  case MpiFunctionId::Reduce_scatter:
  case MpiFunctionId::Reduce_scatter_block:
  case MpiFunctionId::Ireduce_scatter:
  case MpiFunctionId::Ireduce_scatter_block:
    return Collective::ReduceScatter;
  case MpiFunctionId::Allreduce:
  case MpiFunctionId::Iallreduce:
  case MpiFunctionId::Comm_dup:
  case MpiFunctionId::Comm_create:
  case MpiFunctionId::Cart_create:
  case MpiFunctionId::Cart_sub:
  case MpiFunctionId::Graph_create:
  case MpiFunctionId::Dist_graph_create:
  case MpiFunctionId::Dist_graph_create_adjacent:
    return Collective::Allreduce;
  case MpiFunctionId::Scan:
  case MpiFunctionId::Exscan:
  case MpiFunctionId::Iscan:
  case MpiFunctionId::Iexscan:
    return Collective::Scan;
  default:
    return {};
  }
}

std::uint32_t memberOf(const std::vector<int> &members, int rank) {
  const auto place = static_cast<std::size_t>(rank);
  const auto found = place < members.size() && members[place] == rank
                         ? members.begin() + rank // communicators of everyone
                         : std::find(members.begin(), members.end(), rank);
  return static_cast<std::uint32_t>(found - members.begin());
}

CollectiveCalls::CollectiveCalls(const Timeline &timeline, const Machine &machine, bool meetsFirst)
    : machine(machine), communicators(timeline.communicators), meetsFirst(meetsFirst) {
  for (std::uint32_t number = 0; number < communicators.size(); ++number)
    groups.push_back({communicators[number].members, {}});
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    addCallsOf(rank, timeline.ranks[rank]);
  findSetups();
}

/// The first call of an operation by an algorithm that has to set something up.
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
      modelled[number] = modelledCollective(events[number].function);
  }
  for (std::uint32_t number : timeline.numbers) {
    const std::optional<Collective> operation = modelled[number];
    if (!operation)
      continue;
    const Event &event = events[number];
    CallGroup &group = groups[communicators.of(rank, event.communicator)];
    const std::size_t call = next[event.communicator]++;
    const std::uint64_t bytes = taskBytes(event.function, event.bytes, group.members.size());
    if (call == group.calls.size())
      group.calls.push_back({*operation, 0, 0, 0, gathersVaried(event.function)});
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
  return mpiAlgorithm(machine, operation, task, link).seconds(task, link);
}

std::shared_ptr<const Schedule>
CollectiveCalls::scheduleOf(const CallGroup &group, std::uint32_t call, std::uint32_t root) {
  const Collective operation = group.calls[call].operation;
  const std::uint64_t bytes = group.calls[call].bytes(group.members.size());
  const LinkParameters &link = linkOf(group);
  const Key key{operation, group.members.size(), bytes, root, &link != &machine.between};
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
      mpiAlgorithm(machine, operation, task, link).schedule(task, link, SlotsKept::No);
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
