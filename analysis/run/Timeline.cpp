// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/Timeline.h"

#include "analysis/run/ConsistentCut.h"
#include "analysis/trace/SparseCalls.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sendwright {

namespace {

void estimateWork(RankTimeline &timeline) {
  const RankProfile &rank = *timeline.profile;
  timeline.work.resize(rank.events.size());
  timeline.noise.resize(rank.events.size());
  for (std::size_t number = 0; number < rank.events.size(); ++number) {
    if (rank.events[number].kind == EventKind::Compute) {
      timeline.work[number] = rank.events[number].seconds;
      continue;
    }
    if (number >= rank.statistics.size() || rank.statistics[number].count == 0)
      continue;
    const EventStatistics &statistics = rank.statistics[number];
    const auto count = static_cast<double>(statistics.count);
    double work = statistics.before / count;
    if (statistics.count >= 3)
      work =
          (statistics.before - statistics.beforeMaximum - statistics.beforeMinimum) / (count - 2);
    timeline.work[number] = std::max(work, 0.0);
    timeline.noise[number] = std::max(work - statistics.beforeMinimum, 0.0);
  }
}

/// Occurrences of every event: the repetitions of a rule multiply those of its contents.
std::vector<std::uint64_t> countEvents(const RankProfile &rank) {
  const auto &rules = rank.sequence.rules;
  std::vector<std::uint64_t> count(rank.events.size()), uses(rules.size());
  // A rule's uses are known once all rules that use it are done, which is the reverse of the order
  // in which a depth-first walk leaves them.
  std::vector<std::size_t> order;
  std::vector<char> seen(rules.size());
  std::vector<std::pair<std::size_t, std::size_t>> stack;
  if (!rules.empty()) {
    stack.push_back({0, 0});
    seen[0] = 1;
  }
  while (!stack.empty()) {
    auto &[rule, item] = stack.back();
    if (item == rules[rule].size()) {
      order.push_back(rule);
      stack.pop_back();
      continue;
    }
    const GrammarItem &next = rules[rule][item++];
    if (next.isRule && !seen[next.symbol]) {
      seen[next.symbol] = 1;
      stack.push_back({next.symbol, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  if (!rules.empty())
    uses[0] = 1;
  for (std::size_t rule : order)
    for (const GrammarItem &item : rules[rule])
      (item.isRule ? uses : count)[item.symbol] += uses[rule] * item.repetitions;
  for (std::size_t number = 0; number < rank.statistics.size() && number < count.size(); ++number)
    count[number] = std::max(count[number], rank.statistics[number].count);
  return count;
}

/// Whether each rank of the communicator needs something from every other, unless blocks are empty.
bool maySynchronize(const Event &event, const RankProfile &rank) {
  const bool redistributes = event.kind == EventKind::Redistribution;
  if (event.kind != EventKind::Call && !redistributes)
    return false;
  if (!redistributes && !isSynchronizing(mpiFunction(event.function)))
    return false;
  const Communicator *communicator = communicatorOf(event, rank);
  return communicator && !communicator->intercommunicator && communicator->members.size() > 1;
}

/// All members must find the same of a call that they make together. So one sparse call of a
/// function on a communicator speaks for all of them.
void findSynchronizing(Timeline &timeline) {
  std::map<std::pair<std::uint32_t, MpiFunctionId>, SparseCalls> calls;
  const auto callsOf = [&](std::size_t rank, const Event &event) -> SparseCalls & {
    return calls[{timeline.communicators.of(rank, event.communicator), event.function}];
  };
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    for (const Event &event : timeline.ranks[rank].profile->events)
      if (event.kind == EventKind::Call && SparseCalls::concern(mpiFunction(event.function)))
        callsOf(rank, event).add(event);
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    RankTimeline &own = timeline.ranks[rank];
    for (const Event &event : own.profile->events) {
      const bool isIrregular =
          event.kind == EventKind::Call && SparseCalls::concern(mpiFunction(event.function));
      own.synchronizing.push_back(maySynchronize(event, *own.profile) &&
                                  !(isIrregular && callsOf(rank, event).areSparse()));
    }
  }
}

} // namespace

Timeline unroll(const Profile &profile, std::uint64_t limit) {
  Timeline timeline;
  Matching matching = matchBeginning(profile, limit);
  timeline.messages = std::move(matching.messages);
  timeline.communicators = std::move(matching.communicators);
  timeline.share = matching.share;
  timeline.ranks.resize(profile.ranks.size());
  for (std::size_t index = 0; index < profile.ranks.size(); ++index) {
    RankTimeline &rank = timeline.ranks[index];
    rank.profile = &profile.ranks[index];
    rank.numbers = std::move(matching.events[index]);
    timeline.cut |=
        rank.profile->truncated || rank.numbers.size() < rank.profile->sequence.length();
    estimateWork(rank);
    rank.count = countEvents(*rank.profile);
  }
  findSynchronizing(timeline);
  return timeline;
}

const Communicator *communicatorOf(const Event &event, const RankProfile &rank) {
  const auto index = static_cast<std::size_t>(event.communicator);
  return event.communicator >= 0 && index < rank.communicators.size() ? &rank.communicators[index]
                                                                      : nullptr;
}

bool isDeferrable(const Event &event, const RankProfile &rank, std::size_t ranks) {
  if (event.kind != EventKind::Call)
    return false;
  const MpiFunction &function = mpiFunction(event.function);
  if (!isSend(function.role) || function.effect != BatchEffect::Capture)
    return false;
  const Communicator *communicator = communicatorOf(event, rank);
  return event.peer >= 0 && static_cast<std::size_t>(event.peer) < ranks && communicator &&
         !communicator->intercommunicator;
}

bool endsBatch(const Event &event, const RankProfile &rank, std::size_t ranks) {
  if (event.kind == EventKind::Redistribution)
    return true;
  if (event.kind != EventKind::Call || isDeferrable(event, rank, ranks))
    return false;
  const BatchEffect effect = mpiFunction(event.function).effect;
  // Among calls that could be captured but are not, a send to nobody changes nothing.
  return effect == BatchEffect::Capture ? event.peer != nullRank : effect != BatchEffect::Pass;
}

} // namespace sendwright
