// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/RunSize.h"

#include "analysis/file/Limits.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

/// Messages that one rank sends in a call on a communicator of this many members.
double messagesOf(const MpiFunction &function, std::size_t members) {
  if (function.role != MpiRole::Collective && function.role != MpiRole::NonblockingCollective)
    return 0;
  const auto ranks = static_cast<double>(std::max<std::size_t>(members, 1));
  // Some algorithms send a message between every pair of ranks.
  const bool isOfAllPairs = isSynchronizing(function) && function.operation != Collective::Barrier;
  return isOfAllPairs ? ranks : std::log2(ranks);
}

} // namespace

std::uint64_t costOf(const Event &event) {
  return 1 + (event.requests.size() + event.matches.size() + event.moved.size()) / 64;
}

std::uint64_t runCost(const RankProfile &rank) {
  const std::vector<std::uint64_t> counts =
      rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
  std::uint64_t cost = 0, own = 0;
  for (std::size_t event = 0; event < counts.size(); ++event)
    if (__builtin_mul_overflow(counts[event], costOf(rank.events[event]), &own) ||
        __builtin_add_overflow(cost, own, &cost))
      return UINT64_MAX;
  return cost;
}

double messagesOfEvent(const Profile &profile) {
  double events = 0, messages = 0;
  for (const RankProfile &rank : profile.ranks) {
    const std::vector<std::uint64_t> counts =
        rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
    for (std::size_t number = 0; number < counts.size(); ++number) {
      const Event &event = rank.events[number];
      const auto communicator = static_cast<std::size_t>(event.communicator);
      double each = 1;
      if (event.kind == EventKind::Call && communicator < rank.communicators.size())
        each += messagesOf(mpiFunction(event.function),
                           rank.communicators[communicator].members.size());
      events += static_cast<double>(counts[number]);
      messages += static_cast<double>(counts[number]) * each;
    }
  }
  return events > 0 ? std::max(1.0, messages / events) : 1;
}

std::uint64_t simulatedEvents(const Profile &profile, std::uint64_t events) {
  const double share = limits::messagesOfSimulatedEvent / messagesOfEvent(profile);
  if (share >= 1)
    return events;
  return std::min<std::uint64_t>(
      events,
      std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(events) * share),
                              64 * profile.ranks.size()));
}

std::uint64_t runCost(const Profile &profile) {
  std::uint64_t cost = 0;
  for (const RankProfile &rank : profile.ranks)
    if (__builtin_add_overflow(cost, runCost(rank), &cost))
      return UINT64_MAX;
  return cost;
}

} // namespace sendwright
