// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/SynchronizationSteps.h"

#include "analysis/trace/ProfileCodec.h"

#include <algorithm>
#include <climits>

namespace sendwright {

namespace {

bool speaksToNobody(const Event &event, MpiRole role) {
  if (role == MpiRole::SendReceive)
    return event.peer == nullRank && event.receivePeer == nullRank;
  return event.peer == nullRank && !isCollective(role);
}

void encodeStep(ByteWriter &out, const Step &step) {
  out.byte(static_cast<std::uint8_t>(step.kind));
  if (step.kind == StepKind::Synchronize || step.kind == StepKind::Announce)
    out.number(step.group);
  if (step.kind == StepKind::Await)
    out.number(static_cast<std::uint64_t>(step.peer));
  if (step.kind == StepKind::Completions)
    out.number(step.completed);
  if (step.kind != StepKind::Call)
    return;
  out.number(static_cast<std::uint64_t>(step.function));
  out.signedNumber(step.peer);
  out.signedNumber(step.tag);
  out.number(static_cast<std::uint64_t>(step.communicator));
  out.signedNumber(step.receivePeer);
  out.signedNumber(step.receiveTag);
  out.signedNumber(step.source);
}

std::size_t decodeIndex(ByteReader &in, std::size_t count, const char *what) {
  const std::uint64_t index = in.number(UINT32_MAX, what);
  if (index >= count)
    in.fail(std::string(what) + " " + std::to_string(index) + ", expected one of " +
            std::to_string(count));
  return index;
}

Step decodeStep(ByteReader &in, int rankCount, const RankSteps &steps) {
  Step step;
  step.kind = static_cast<StepKind>(in.number(5, "kind of step"));
  if (step.kind == StepKind::Synchronize)
    step.group = static_cast<std::uint32_t>(decodeIndex(in, steps.groups.size(), "group"));
  if (step.kind == StepKind::Announce)
    step.group = static_cast<std::uint32_t>(decodeIndex(in, steps.listeners.size(), "list"));
  if (step.kind == StepKind::Await)
    step.peer = static_cast<int>(decodeIndex(in, static_cast<std::size_t>(rankCount), "peer"));
  if (step.kind == StepKind::Completions)
    step.completed = in.number();
  if (step.kind != StepKind::Call)
    return step;
  step.function = static_cast<MpiFunctionId>(in.number(mpiFunctionCount() - 1, "function"));
  step.peer = static_cast<int>(in.signedNumber(noPeer, rankCount - 1, "peer"));
  step.tag = static_cast<int>(in.signedNumber(anyTag, INT_MAX, "tag"));
  step.communicator = static_cast<int>(decodeIndex(in, steps.communicators.size(), "communicator"));
  step.receivePeer = static_cast<int>(in.signedNumber(noPeer, rankCount - 1, "peer"));
  step.receiveTag = static_cast<int>(in.signedNumber(anyTag, INT_MAX, "tag"));
  step.source = static_cast<int>(in.signedNumber(noPeer, rankCount - 1, "source"));
  return step;
}

void encodeRanks(ByteWriter &out, const std::vector<int> &ranks) {
  out.number(ranks.size());
  int next = 0;
  for (int member : ranks) {
    out.signedNumber(member - next);
    next = member + 1;
  }
}

/// Ascending ranks that must contain `rank`, or must not.
std::vector<int> decodeRanks(ByteReader &in, int rankCount, int rank, bool amongThem) {
  std::vector<int> group(in.countOf<int>());
  std::int64_t next = 0;
  for (int &member : group) {
    next += in.signedNumber(0, rankCount - 1 - next, "member of a group, relative,");
    member = static_cast<int>(next++);
  }
  if (!group.empty() && std::binary_search(group.begin(), group.end(), rank) != amongThem)
    in.fail("a list of ranks " + std::string(amongThem ? "without" : "with") + " rank " +
            std::to_string(rank) + ", expected one that it " +
            (amongThem ? "belongs to" : "does not belong to"));
  return group;
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
  encodeCommunicators(out, steps.communicators);
  out.number(steps.groups.size());
  for (const std::vector<int> &group : steps.groups)
    encodeRanks(out, group);
  out.number(steps.listeners.size());
  for (const std::vector<int> &list : steps.listeners)
    encodeRanks(out, list);
  out.number(steps.steps.size());
  for (const Step &step : steps.steps)
    encodeStep(out, step);
  encodeGrammar(out, steps.sequence);
}

RankSteps decodeSteps(ByteReader &in, int rankCount, int rank) {
  RankSteps result;
  decodeCommunicators(in, result.communicators, static_cast<std::size_t>(rankCount));
  in.resize(result.groups);
  for (std::vector<int> &group : result.groups)
    group = decodeRanks(in, rankCount, rank, true);
  in.resize(result.listeners);
  for (std::vector<int> &list : result.listeners)
    list = decodeRanks(in, rankCount, rank, false);
  const std::size_t count = in.count(1, sizeof(result.steps[0]));
  for (std::size_t index = 0; index < count; ++index)
    result.steps.push_back(decodeStep(in, rankCount, result));
  decodeGrammar(in, result.sequence, count);
  return result;
}

} // namespace sendwright
