// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank has an end, which only moves backwards. When it moves, what it leaves behind takes
// something from other ranks: receives of messages that are not sent any more end, and so do the
// other ranks' parts of collective operations.

#include "analysis/run/ConsistentCut.h"

#include "analysis/trace/RunSize.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// More rounds would find little more room.
constexpr int mostRounds = 4;

using Ends = std::vector<std::uint32_t>; // by rank: the number of events before the cut

/// What sends of one rank have in common that a receive may take.
using Channel = std::tuple<int, std::uint32_t, int>; // destination, communicator, tag

class CutSearch {
public:
  CutSearch(const Profile &profile, const Matching &matching)
      : profile(profile), matching(matching), collectives(matching.events.size()),
        calls(matching.communicators.size()) {
    for (std::size_t rank = 0; rank < matching.events.size(); ++rank) {
      ends.push_back(static_cast<std::uint32_t>(matching.events[rank].size()));
      sendsLeft.push_back(matching.sendsBegin[rank + 1]);
      listCollectives(static_cast<std::uint32_t>(rank));
    }
  }

  /// The greatest consistent cut of what was expanded.
  const Ends &greatest() {
    for (std::uint32_t number = 0; number < calls.size(); ++number)
      for (std::vector<EventPosition> &call : calls[number])
        if (call.size() < matching.communicators[number].members.size())
          remove(call);
    for (std::size_t index = matching.sendsBegin.back(); index < matching.messages.size(); ++index)
      if (const MatchedMessage &message = matching.messages[index];
          message.completion != noPosition && mayBeSentLater(message))
        cutBefore(message.receive.rank, message.completion);
    settle();
    return ends;
  }

  /// The greatest consistent cut that ends with a collective operation of all ranks if it holds at
  /// least half of the events; otherwise the greatest.
  const Ends &atCollective() {
    const std::vector<EventPosition> *best = nullptr;
    std::uint64_t most = (std::accumulate(ends.begin(), ends.end(), std::uint64_t{0}) + 1) / 2;
    for (const std::vector<std::vector<EventPosition>> &ofCommunicator : calls)
      for (const std::vector<EventPosition> &call : ofCommunicator)
        if (const std::uint64_t events = eventsUpTo(call);
            call.size() == ends.size() && events >= most) {
          best = &call;
          most = events;
        }
    if (best)
      for (const EventPosition at : std::vector<EventPosition>(*best))
        cutBefore(at.rank, at.position + 1);
    settle();
    return ends;
  }

private:
  /// A rank's part of a collective operation.
  struct Part {
    std::uint32_t position = 0, communicator = 0, call = 0;
  };

  void listCollectives(std::uint32_t rank) {
    const std::vector<Event> &events = profile.ranks[rank].events;
    std::vector<std::uint32_t> communicatorOf(events.size(), CommunicatorNumbers::none);
    for (std::size_t number = 0; number < events.size(); ++number)
      if (events[number].kind == EventKind::Redistribution ||
          (events[number].kind == EventKind::Call &&
           isCollective(mpiFunction(events[number].function).role)))
        communicatorOf[number] = matching.communicators.ofGroup(rank, events[number].communicator);
    std::vector<std::uint32_t> next(calls.size());
    const std::vector<std::uint32_t> &numbers = matching.events[rank];
    for (std::uint32_t position = 0; position < numbers.size(); ++position) {
      const std::uint32_t communicator = communicatorOf[numbers[position]];
      if (communicator == CommunicatorNumbers::none)
        continue;
      const std::uint32_t call = next[communicator]++;
      if (call == calls[communicator].size())
        calls[communicator].emplace_back();
      calls[communicator][call].push_back({rank, position});
      collectives[rank].push_back({position, communicator, call});
    }
  }

  static std::uint64_t eventsUpTo(const std::vector<EventPosition> &call) {
    std::uint64_t events = 0;
    for (const EventPosition &at : call)
      events += std::uint64_t{at.position} + 1;
    return events;
  }

  void cutBefore(std::uint32_t rank, std::uint32_t position) {
    if (position >= ends[rank])
      return;
    ends[rank] = position;
    moved.push_back(rank);
  }

  /// No rank enters this operation.
  void remove(std::vector<EventPosition> &call) {
    for (const EventPosition &at : std::exchange(call, {}))
      cutBefore(at.rank, at.position);
  }

  void settle() {
    while (!moved.empty()) {
      const std::uint32_t rank = moved.back();
      moved.pop_back();
      for (; sendsLeft[rank] > matching.sendsBegin[rank]; --sendsLeft[rank]) {
        const MatchedMessage &message = matching.messages[sendsLeft[rank] - 1];
        if (message.send.position < ends[rank])
          break;
        if (message.matched() && message.completion != noPosition)
          cutBefore(message.receive.rank, message.completion);
      }
      std::vector<Part> &parts = collectives[rank];
      for (; !parts.empty() && parts.back().position >= ends[rank]; parts.pop_back())
        remove(calls[parts.back().communicator][parts.back().call]);
    }
  }

  /// Whether the sender has a send, beyond what was expanded, that this receive may take. Messages
  /// that were not recorded are no reason to cut.
  bool mayBeSentLater(const MatchedMessage &received) {
    const std::uint32_t sender = received.send.rank;
    if (sender >= profile.ranks.size())
      return false;
    if (profile.ranks[sender].truncated)
      return true;
    const std::uint32_t rank = received.receive.rank;
    const Event &event =
        profile.ranks[rank].events[matching.events[rank][received.receive.position]];
    const bool both = mpiFunction(event.function).role == MpiRole::SendReceive;
    if (sentLater.empty())
      sentLater.resize(profile.ranks.size());
    std::optional<std::set<Channel>> &channels = sentLater[sender];
    if (!channels)
      channels = channelsLeft(sender);
    return channels->contains({static_cast<int>(rank),
                               matching.communicators.of(rank, event.communicator),
                               both ? event.receiveTag : event.tag});
  }

  /// The channels of the sends that were not expanded, also with any tag.
  std::set<Channel> channelsLeft(std::uint32_t sender) const {
    const RankProfile &rank = profile.ranks[sender];
    std::vector<std::uint64_t> left =
        rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
    for (const std::uint32_t number : matching.events[sender])
      --left[number];
    std::set<Channel> channels;
    for (std::size_t number = 0; number < left.size(); ++number)
      if (const Event &event = rank.events[number]; left[number] > 0 && sendsMessage(event))
        for (const int tag : {event.tag, anyTag})
          channels.insert({event.peer, matching.communicators.of(sender, event.communicator), tag});
    return channels;
  }

  const Profile &profile;
  const Matching &matching;
  Ends ends;
  std::vector<std::uint32_t> sendsLeft;       // by rank: index after its last send before its end
  std::vector<std::vector<Part>> collectives; // by rank, up to its end
  std::vector<std::vector<std::vector<EventPosition>>> calls; // by communicator and call; empty: it
                                                              // is behind the cut
  std::vector<std::uint32_t> moved;                           // ranks whose ends have moved
  std::vector<std::optional<std::set<Channel>>> sentLater;    // by sender
};

using Costs = std::vector<std::uint64_t>; // by rank

std::uint64_t sumOf(const Costs &costs) {
  return std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
}

Costs costsOf(const Profile &profile) {
  Costs costs;
  for (const RankProfile &rank : profile.ranks)
    costs.push_back(runCost(rank));
  return costs;
}

/// The costs of the events before the cut.
Costs costsOf(const Profile &profile, const Matching &matching, const Ends &ends) {
  Costs costs;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    std::uint64_t &cost = costs.emplace_back();
    for (std::uint32_t position = 0; position < ends[rank]; ++position)
      cost += costOf(profile.ranks[rank].events[matching.events[rank][position]]);
  }
  return costs;
}

/// The same fraction of each rank's run, together at most `limit`.
Costs equalFractions(const Costs &whole, std::uint64_t limit) {
  double all = 0;
  for (const std::uint64_t cost : whole)
    all += static_cast<double>(cost);
  Costs shares;
  for (const std::uint64_t cost : whole)
    shares.push_back(std::min(cost, static_cast<std::uint64_t>(static_cast<double>(cost) / all *
                                                               static_cast<double>(limit))));
  return shares;
}

/// Ranks whose shares end before the cut would: others wait for them.
std::vector<std::size_t> awaitedRanks(const Matching &matching, const Ends &ends,
                                      const Costs &shares, const Costs &whole) {
  std::vector<std::size_t> awaited;
  for (std::size_t rank = 0; rank < ends.size(); ++rank)
    if (ends[rank] == matching.events[rank].size() && shares[rank] < whole[rank])
      awaited.push_back(rank);
  return awaited;
}

} // namespace

Matching matchBeginning(const Profile &profile, std::uint64_t limit) {
  const bool fits = shareOfRank(profile, limit) == wholeRun;
  if (fits && std::none_of(profile.ranks.begin(), profile.ranks.end(),
                           [](const RankProfile &rank) { return rank.truncated; }))
    return matchMessages(profile, {limit});
  const Costs whole = costsOf(profile);
  Costs shares = fits ? whole : equalFractions(whole, limit), best;
  std::uint64_t most = 0;
  for (int round = 0;; ++round) {
    const Matching matching = matchMessages(profile, {limit, shares});
    CutSearch search(profile, matching);
    const Ends greatest = search.greatest();
    const Costs used = costsOf(profile, matching, greatest);
    if (best.empty() || sumOf(used) > most) {
      most = sumOf(used);
      best = costsOf(profile, matching, search.atCollective());
    }
    const std::vector<std::size_t> awaited = awaitedRanks(matching, greatest, shares, whole);
    const std::uint64_t left = limit - std::min(limit, sumOf(used));
    if (fits || left <= limit / 4 || awaited.empty() || round == mostRounds)
      return matchMessages(profile, {limit, best});
    // Half of the room goes to ranks that others wait for, half to all.
    shares = used;
    for (const std::size_t rank : awaited)
      shares[rank] += left / 2 / awaited.size();
    for (std::size_t rank = 0; rank < shares.size(); ++rank)
      shares[rank] = std::min(shares[rank] + left / 2 / shares.size(), whole[rank]);
  }
}

} // namespace sendwright
