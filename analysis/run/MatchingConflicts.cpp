// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/MatchingConflicts.h"

#include "analysis/run/RefusalWords.h"
#include "analysis/run/Timeline.h"
#include "analysis/trace/TraceLocation.h"

#include <algorithm>

namespace sendwright {

namespace {

bool isOn(const MatchingChannels &messages, const Profile &profile, std::size_t rank,
          const Event &event) {
  const Communicator *communicator = communicatorOf(event, profile.ranks[rank]);
  return communicator && messages.communicator && *communicator == *messages.communicator;
}

/// Whether one of the messages to `rank` fits source and tag, each of which may be a wildcard.
bool fitsOneOf(const MatchingChannels &messages, int rank, int source, int tag) {
  if (tag != anyTag && !messages.tags.contains(tag))
    return false;
  return std::any_of(
      messages.channels.begin(), messages.channels.end(), [&](const MatchingChannel &channel) {
        return channel.destination == rank && (source == anySource || source == channel.source) &&
               (tag == anyTag || tag == channel.tag);
      });
}

/// What a call receives or probes.
struct Taking {
  bool probes = false, receives = false;
  int source = 0, tag = 0;
};

Taking takenBy(const Event &event) {
  const MpiRole role = mpiFunction(event.function).role;
  const bool exchanges = role == MpiRole::SendReceive;
  return {role == MpiRole::Probe,
          exchanges || role == MpiRole::Receive || role == MpiRole::NonblockingReceive,
          exchanges ? event.receivePeer : event.peer, exchanges ? event.receiveTag : event.tag};
}

} // namespace

std::string textOf(const MatchingConflict &conflict) {
  const std::string at = atPlace(conflict.place);
  switch (conflict.kind) {
  case MatchingConflict::Kind::Send:
    return nameOfRank(conflict.channel.source) + " sends to " +
           nameOfRank(conflict.channel.destination) + " with tag " +
           std::to_string(conflict.channel.tag) + at + ", too";
  case MatchingConflict::Kind::Probe:
    return std::string(mpiFunction(conflict.function).name) + at + " could see its messages";
  case MatchingConflict::Kind::ReceiveFromAnySource:
    return "a receive from any source" + at + " could take its messages";
  case MatchingConflict::Kind::ReceiveOfAnyTag:
    return "a receive of any tag" + at + " could take its messages";
  }
  return "";
}

std::optional<MatchingConflict> conflictOfSend(const Profile &profile, std::size_t rank,
                                               const Event &event,
                                               const MatchingChannels &messages) {
  const MatchingChannel channel{static_cast<int>(rank), event.peer, event.tag};
  if (!sendsMessage(event) || event.peer < 0 || !isOn(messages, profile, rank, event) ||
      !messages.channels.contains(channel))
    return {};
  return MatchingConflict{MatchingConflict::Kind::Send, event.function, channel,
                          callPlace(profile, profile.ranks[rank], event)};
}

std::optional<MatchingConflict> conflictOfReceive(const Profile &profile, std::size_t rank,
                                                  const Event &event,
                                                  const MatchingChannels &messages) {
  if (event.kind != EventKind::Call)
    return {};
  const auto [probes, receives, source, tag] = takenBy(event);
  if (!probes && !(receives && (source == anySource || tag == anyTag)))
    return {};
  if (!isOn(messages, profile, rank, event) ||
      !fitsOneOf(messages, static_cast<int>(rank), source, tag))
    return {};
  using Kind = MatchingConflict::Kind;
  return MatchingConflict{probes                ? Kind::Probe
                          : source == anySource ? Kind::ReceiveFromAnySource
                                                : Kind::ReceiveOfAnyTag,
                          event.function,
                          {},
                          callPlace(profile, profile.ranks[rank], event)};
}

bool takesFromAnySource(const Communicator &communicator, const RankProfile &rank,
                        const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const Taking taking = takenBy(event);
  if ((!taking.probes && !taking.receives) || taking.source != anySource)
    return false;
  const Communicator *on = communicatorOf(event, rank);
  return on && *on == communicator;
}

} // namespace sendwright
