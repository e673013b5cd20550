// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/OtherCalls.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// Messages of more bytes that go directly wait for their receiver (runtime/sharing/planned).
constexpr std::uint64_t largestCopied = 16384;

class OtherCalls {
public:
  OtherCalls(const Profile &profile, const Timeline &timeline, const OwnMessages &own)
      : profile(profile), timeline(timeline), own(own) {}

  std::optional<MatchingConflict> run() {
    for (const bool sends : {true, false})
      for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
        for (std::uint32_t number = 0; number < profile.ranks[rank].events.size(); ++number) {
          std::optional<MatchingConflict> conflict =
              sends ? conflictOfSending(rank, number) : conflictOfReceiving(rank, number);
          if (conflict)
            return conflict;
        }
    return {};
  }

private:
  std::optional<MatchingConflict> conflictOfSending(std::size_t rank, std::uint32_t number) {
    const Event &event = profile.ranks[rank].events[number];
    if (own.sends(rank, event))
      return {};
    std::optional<MatchingConflict> conflict = conflictOfSend(profile, rank, event, own.channels);
    if (conflict && isWhole(rank, number) &&
        inTurn().contains({static_cast<int>(rank), event.peer, event.tag}))
      return {};
    return conflict;
  }

  std::optional<MatchingConflict> conflictOfReceiving(std::size_t rank, std::uint32_t number) {
    const Event &event = profile.ranks[rank].events[number];
    std::optional<MatchingConflict> conflict =
        conflictOfReceive(profile, rank, event, own.channels);
    if (conflict && isWhole(rank, number) && endsBefore(rank, number))
      return {};
    return conflict;
  }

  /// Whether the event never happens behind what is unrolled.
  bool isWhole(std::size_t rank, std::uint32_t number) const {
    const RankTimeline &events = timeline.ranks[rank];
    return !timeline.cut || static_cast<std::uint64_t>(
                                std::ranges::count(events.numbers, number)) >= events.count[number];
  }

  const Event &sendOf(const MatchedMessage &message) const {
    return timeline.ranks[message.send.rank].at(message.send.position);
  }

  /// The channels whose other messages nobody waits longer for.
  const std::set<MatchingChannel> &inTurn() {
    if (!channelsInTurn)
      channelsInTurn = findChannelsInTurn();
    return *channelsInTurn;
  }

  std::set<MatchingChannel> findChannelsInTurn() const {
    std::set<MatchingChannel> found, outOfTurn;
    std::map<MatchingChannel, std::uint32_t> received; // position of the latest of the exchange
    for (const MatchedMessage &message : timeline.messages) {
      if (message.send.position == noPosition)
        continue;
      const Event &send = sendOf(message);
      const MatchingChannel channel{static_cast<int>(message.send.rank), send.peer, send.tag};
      const Communicator *on = communicatorOf(send, profile.ranks[message.send.rank]);
      if (!own.channels.channels.contains(channel) || !on || !(*on == *own.channels.communicator))
        continue;
      found.insert(channel);
      const auto latest = received.find(channel);
      if (own.has(message))
        received[channel] = std::max(received[channel], message.completion);
      else if (isSynchronousSend(mpiFunction(send.function).role) ||
               message.completion == noPosition ||
               (latest != received.end() &&
                (send.bytes > largestCopied || message.completion < latest->second)))
        outOfTurn.insert(channel);
    }
    for (const MatchingChannel &channel : outOfTurn)
      found.erase(channel);
    return found;
  }

  /// Whether every such receive or probe of the rank is over before anybody sends it a message of
  /// the exchange, whatever the timing.
  bool endsBefore(std::size_t rank, std::uint32_t number) {
    std::uint32_t last = 0;
    const RankTimeline &events = timeline.ranks[rank];
    const MpiRole role = mpiFunction(profile.ranks[rank].events[number].function).role;
    if (role == MpiRole::NonblockingReceive) {
      std::size_t completed = 0;
      for (const MatchedMessage &message : timeline.messages)
        if (message.receive.rank == rank && message.receive.position != noPosition &&
            events.numbers[message.receive.position] == number) {
          if (message.completion == noPosition)
            return false;
          last = std::max(last, message.completion);
          ++completed;
        }
      if (completed < static_cast<std::size_t>(std::ranges::count(events.numbers, number)))
        return false;
    } else {
      for (std::uint32_t position = 0; position < events.size(); ++position)
        last = events.numbers[position] == number ? position : last;
    }
    return std::ranges::all_of(firstSends(), [&](const auto &entry) {
      const auto &[ends, position] = entry;
      return ends.second != static_cast<int>(rank) ||
             isSeparated(rank, last, static_cast<std::size_t>(ends.first), position);
    });
  }

  using SendsOfPairs = std::map<std::pair<int, int>, std::uint32_t>; // positions

  /// Where each rank first sends a message of the exchange to another.
  const SendsOfPairs &firstSends() {
    if (!firstKnown)
      for (const MatchedMessage &message : timeline.messages)
        if (message.send.position != noPosition && own.has(message)) {
          std::uint32_t &first =
              firstOfPairs
                  .try_emplace({static_cast<int>(message.send.rank), sendOf(message).peer},
                               message.send.position)
                  .first->second;
          first = std::min(first, message.send.position);
        }
    firstKnown = true;
    return firstOfPairs;
  }

  /// Whether all ranks complete a collective call after the rank is at the one position, and before
  /// the other rank is at the other.
  bool isSeparated(std::size_t rank, std::uint32_t position, std::size_t other,
                   std::uint32_t otherPosition) {
    if (synchronisations.empty())
      findSynchronisations();
    for (const auto &[number, here] : synchronisations[rank]) {
      const auto there = synchronisations[other].find(number);
      if (there == synchronisations[other].end())
        continue;
      const auto before = [](const std::vector<std::uint32_t> &calls, std::uint32_t at) {
        return std::ranges::lower_bound(calls, at) - calls.begin();
      };
      if (before(here, position) < before(there->second, otherPosition))
        return true;
    }
    return false;
  }

  /// Functions in which every member has something for every other. Others may have nothing for
  /// some, and do not wait for these.
  static bool hasSomethingForAll(const Event &event) {
    return event.function == MpiFunctionId::Barrier ||
           (event.bytes > 0 && (event.function == MpiFunctionId::Allreduce ||
                                event.function == MpiFunctionId::Allgather ||
                                event.function == MpiFunctionId::Alltoall));
  }

  /// By rank: the positions of calls that synchronise all members of the exchange's communicator,
  /// by communicator.
  void findSynchronisations() {
    synchronisations.resize(timeline.ranks.size());
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      for (std::uint32_t position = 0; position < timeline.ranks[rank].size(); ++position) {
        const Event &event = timeline.ranks[rank].at(position);
        if (event.kind != EventKind::Call || !timeline.ranks[rank].synchronizes(position) ||
            !hasSomethingForAll(event))
          continue;
        const std::uint32_t number = timeline.communicators.ofGroup(rank, event.communicator);
        if (number != CommunicatorNumbers::none && hasAllMembers(number))
          synchronisations[rank][number].push_back(position);
      }
  }

  bool hasAllMembers(std::uint32_t number) {
    const auto [known, isNew] = covers.try_emplace(number, true);
    if (isNew) {
      const auto &list = timeline.communicators[number].members;
      const std::set<int> members(list.begin(), list.end());
      known->second = std::ranges::all_of(own.channels.communicator->members,
                                          [&](int member) { return members.contains(member); });
    }
    return known->second;
  }

  const Profile &profile;
  const Timeline &timeline;
  const OwnMessages &own;
  std::optional<std::set<MatchingChannel>> channelsInTurn;
  std::map<std::uint32_t, bool> covers; // by communicator: whether it has all members
  bool firstKnown = false;
  SendsOfPairs firstOfPairs;
  std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> synchronisations;
};

} // namespace

std::optional<MatchingConflict> conflictWithOthers(const Profile &profile, const Timeline &timeline,
                                                   const OwnMessages &own) {
  return OtherCalls(profile, timeline, own).run();
}

} // namespace sendwright
