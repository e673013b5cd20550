// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/SynchronizationSteps.h"

#include "analysis/trace/ProfileFields.h"

#include <algorithm>
#include <climits>

namespace sendwright {

namespace {

bool speaksToNobody(const Event &event, MpiRole role) {
  if (role == MpiRole::SendReceive)
    return event.peer == nullRank && event.receivePeer == nullRank;
  return event.peer == nullRank && !isCollective(role);
}

template <typename Fields>
void describeStep(Fields fields, Described<Fields, Step> &step, int rankCount,
                  const RankSteps &steps) {
  fields.number(step.kind, 5, "kind of step");
  if (step.kind == StepKind::Synchronize)
    describeIndex(fields, step.group, steps.groups.size(), "group");
  if (step.kind == StepKind::Announce)
    describeIndex(fields, step.group, steps.listeners.size(), "list");
  if (step.kind == StepKind::Await)
    describeIndex(fields, step.peer, static_cast<std::size_t>(rankCount), "peer");
  if (step.kind == StepKind::Completions)
    fields.number(step.completed);
  if (step.kind != StepKind::Call)
    return;
  fields.number(step.function, mpiFunctionCount() - 1, "function");
  fields.signedNumber(step.peer, noPeer, rankCount - 1, "peer");
  fields.signedNumber(step.tag, anyTag, INT_MAX, "tag");
  describeIndex(fields, step.communicator, steps.communicators.size(), "communicator");
  fields.signedNumber(step.receivePeer, noPeer, rankCount - 1, "peer");
  fields.signedNumber(step.receiveTag, anyTag, INT_MAX, "tag");
  fields.signedNumber(step.source, noPeer, rankCount - 1, "source");
}

/// Ascending ranks that must contain `rank`, or must not.
template <typename Fields>
void describeRanks(Fields fields, Described<Fields, std::vector<int>> &group, int rankCount,
                   int rank, bool amongThem) {
  fields.length(group);
  std::int64_t next = 0;
  for (auto &member : group) {
    fields.relativeNumber(member, next, next, rankCount - 1, "member of a group, relative,");
    next = std::int64_t{member} + 1;
  }
  if constexpr (Fields::reads)
    fields.expect(
        group.empty() || std::binary_search(group.begin(), group.end(), rank) == amongThem, [&] {
          return "a list of ranks " + std::string(amongThem ? "without" : "with") + " rank " +
                 std::to_string(rank) + ", expected one that it " +
                 (amongThem ? "belongs to" : "does not belong to");
        });
}

template <typename Fields>
void describeSteps(Fields fields, Described<Fields, RankSteps> &steps, int rankCount, int rank) {
  describeCommunicators(fields, steps.communicators, static_cast<std::size_t>(rankCount));
  fields.length(steps.groups);
  for (auto &group : steps.groups)
    describeRanks(fields, group, rankCount, rank, true);
  fields.length(steps.listeners);
  for (auto &list : steps.listeners)
    describeRanks(fields, list, rankCount, rank, false);
  fields.length(steps.steps);
  for (auto &step : steps.steps)
    describeStep(fields, step, rankCount, steps);
  describeGrammar(fields, steps.sequence, steps.steps.size());
}

} // namespace

const char *nameOf(SynchronizationKind kind) {
  switch (kind) {
  case SynchronizationKind::None:
    return "none";
  case SynchronizationKind::Full:
    return "full";
  case SynchronizationKind::Partial:
    return "partial";
  case SynchronizationKind::Component:
    return "component";
  }
  return "none";
}

bool isStepRole(MpiRole role) {
  switch (role) {
  case MpiRole::Probe:
  case MpiRole::PersistentInit:
  case MpiRole::RequestFree:
  case MpiRole::Cancel:
  case MpiRole::CommunicatorFree:
  case MpiRole::CommunicatorDisconnect:
  case MpiRole::Environment:
  case MpiRole::RequestQuery:
  case MpiRole::Query:
    return false;
  default:
    return true;
  }
}

bool takesAnySourceLater(const Event &event) {
  const MpiRole role = mpiFunction(event.function).role;
  return event.kind == EventKind::Call && event.peer == anySource &&
         (role == MpiRole::NonblockingReceive || role == MpiRole::MatchedReceive);
}

bool completesInAnyOrder(MpiFunctionId function) {
  return mpiFunction(function).role == MpiRole::Completion && !waitsForAll(mpiFunction(function));
}

std::optional<Step> stepOf(const Event &event) {
  const MpiRole role = mpiFunction(event.function).role;
  if (event.kind != EventKind::Call || !isStepRole(role) || speaksToNobody(event, role))
    return std::nullopt;
  Step step;
  if (role == MpiRole::Completion) {
    const bool anyOrder = completesInAnyOrder(event.function);
    step.kind = anyOrder ? StepKind::Completions : StepKind::Completion;
    step.completed = anyOrder ? event.requests.size() : 0;
    return step;
  }
  step.function = event.function;
  step.peer = event.peer;
  step.tag = event.tag;
  step.communicator = event.communicator;
  step.receivePeer = event.receivePeer;
  step.receiveTag = event.receiveTag;
  const bool anySender = event.peer == anySource || event.receivePeer == anySource;
  if (anySender && !takesAnySourceLater(event) && !event.matches.empty())
    step.source = event.matches.front().source;
  return step;
}

std::uint64_t synchronizationsOf(const RankSteps &rank) {
  const auto counts = rank.sequence.occurrences(static_cast<std::uint32_t>(rank.steps.size()));
  std::uint64_t sum = 0;
  for (std::size_t step = 0; step < rank.steps.size(); ++step)
    if (rank.steps[step].kind == StepKind::Synchronize ||
        rank.steps[step].kind == StepKind::Announce)
      sum += counts[step];
  return sum;
}

void encodeSteps(ByteWriter &out, const RankSteps &steps) {
  describeSteps(FieldWriter(out), steps, 0, 0);
}

RankSteps decodeSteps(ByteReader &in, int rankCount, int rank) {
  RankSteps steps;
  describeSteps(FieldReader(in), steps, rankCount, rank);
  return steps;
}

} // namespace sendwright
